import { readConfig } from '../../db/repositories/institutions/profile';
import { findDuplicateStudentIds, findStudentIdHolders, lockStudentIds, type ExistingStudent } from '../../db/repositories/students/uniqueStudentIds';
import type { Transaction } from '../context';
import { DomainError } from '../errors';

/** The number of duplicates that an error names. */
const maxNamed = 20;

/** Returns the error for a second student with the same `student_id`; it names the first. */
export function studentIdTaken(existing: ExistingStudent): DomainError {
  const { id, login_email } = existing;
  return new DomainError('conflict', `student_id is already used by ${login_email} (${id}) in this institution.`, { existing: { id, login_email } });
}

/**
 * `conflict` if the institution's student ids are unique and a student has this one. Of two concurrent transactions
 * the second fails on `users_unique_student_id`, is run again, and finds the other here.
 */
export async function requireFreeStudentId(tx: Transaction, studentId: string | null): Promise<void> {
  if (studentId === null) return;
  const existing = (await findStudentIdHolders(tx, [studentId]))?.get(studentId);
  if (existing !== undefined) throw studentIdTaken(existing);
}

/** Returns the error for identifiers that several students have; it names the first of them. */
export function studentIdsShared(found: readonly string[]): DomainError {
  const named = found.slice(0, maxNamed);
  const more = found.length > maxNamed ? ' and more' : '';
  return new DomainError(
    'conflict',
    `unique_student_ids cannot be turned on: several students have the same student_id: ${named.map((id) => JSON.stringify(id)).join(', ')}${more}. ` +
      'GET /students?student_id= finds the students of each.',
    { student_ids: named },
  );
}

async function requireNoDuplicates(tx: Transaction): Promise<void> {
  const found = await findDuplicateStudentIds(tx, maxNamed + 1);
  if (found.length > 0) throw studentIdsShared(found);
}

/**
 * `conflict` if students of the institution have the same `student_id`, unless the ids are unique already. After it, until the
 * commit, nobody writes one: looks first without holding anyone up, then again while it does.
 */
export async function requireUniqueStudentIds(tx: Transaction): Promise<void> {
  const isOn = async (): Promise<boolean> => (await readConfig(tx))?.unique_student_ids === true;
  if (!(await isOn())) await requireNoDuplicates(tx);
  await lockStudentIds(tx);
  if (!(await isOn())) await requireNoDuplicates(tx);
}
