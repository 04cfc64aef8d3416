import { findInstitution, insertInstitution, type InstitutionRow } from '../../db/repositories/institutions/institutions';
import type { Transaction } from '../context';
import { DomainError } from '../errors';
import { licenseDays } from '../licenses/limits';
import { setAllowance } from '../merits/setAllowance';
import { provisionPeople, type ProvisionedAccount } from '../people/provisionPeople';
import { isUniqueViolation } from '../../db/uniqueViolation';
import { defaultStoredConfig } from './config';

/** The fields of a new institution. */
export interface NewInstitution {
  name: string;
  login_domain: string;
  admin_email: string;
  admin_name: string;
  time_zone?: string | undefined;
  allowance_cents?: number | undefined;
}

/**
 * Creates a `pending` institution with its counters, event clock and admin faculty record; emits `faculty.created`
 * and `license.generated` for the admin. `conflict` if another institution has the login domain. Sets the
 * transaction's institution id to the new institution's.
 */
export async function createInstitution(tx: Transaction, wanted: NewInstitution): Promise<{ institution: InstitutionRow; admin: ProvisionedAccount }> {
  await insertInstitution(tx, {
    name: wanted.name,
    status: 'pending',
    loginDomain: wanted.login_domain,
    timeZone: wanted.time_zone ?? 'UTC',
    config: defaultStoredConfig(),
    now: tx.now,
  }).catch((error: unknown) => {
    throw isUniqueViolation(error, 'institutions_login_domain_key') ? domainTaken() : error;
  });
  await setAllowance(tx, wanted.allowance_cents ?? 0);
  const [admin] = await provisionPeople(tx, 'faculty', [
    {
      fullName: wanted.admin_name,
      externalId: null,
      licenseDays: licenseDays.max,
      personalEmail: wanted.admin_email,
      isAdmin: true,
    },
  ]);
  const institution = await findInstitution(tx);
  if (admin === undefined || institution === undefined) throw new Error('The institution or its admin was not written');
  return { institution, admin };
}

function domainTaken(): DomainError {
  return new DomainError('conflict', 'login_domain is already used by another institution.');
}
