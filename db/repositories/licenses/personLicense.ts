import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';
import { licenseColumns, type PersonLicenseColumns } from '../people/licensedPeople';

const find = statement('person_license', `SELECT ${licenseColumns} FROM licenses l WHERE l.institution_id = $1 AND l.user_id = $2`);

/** The license of a person. */
export async function findPersonLicense(scope: InstitutionScope, userId: string): Promise<PersonLicenseColumns | undefined> {
  const [row] = await scope.sql<PersonLicenseColumns>(find, [scope.institutionId, userId]);
  return row;
}
