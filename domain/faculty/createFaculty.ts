import { findFaculty, type FacultyRow } from '../../db/repositories/faculty/faculty';
import type { Transaction } from '../context';
import { licenseDays } from '../licenses/limits';
import { provisionPeople } from '../people/provisionPeople';

/** The fields of a new faculty member (section Faculty, POST). */
export interface NewFaculty {
  full_name: string;
  faculty_id?: string | null | undefined;
  license_days?: number | undefined;
}

/** Creates an `active` faculty member with a license for 3 devices; their profile is not completed yet. */
export async function createFaculty(tx: Transaction, { full_name, faculty_id, license_days }: NewFaculty): Promise<FacultyRow> {
  const [created] = await provisionPeople(tx, 'faculty', [
    { fullName: full_name, externalId: faculty_id ?? null, licenseDays: license_days ?? licenseDays.default, personalEmail: null },
  ]);
  const row = created && (await findFaculty(tx, created.id));
  if (row === undefined) throw new Error('The new faculty member was not written');
  return row;
}
