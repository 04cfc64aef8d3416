import type { GroupRow } from '../../db/repositories/groups/groups';
import { matchStudents, type StudentMatches } from '../../db/repositories/students/students';
import type { Transaction } from '../context';
import { fieldError, type DomainError } from '../errors';

/** A group after a change, and the `student_ids` that named no student of the institution, as sent. */
export interface ChangedGroup extends GroupRow {
  skipped: string[];
}

/**
 * Returns the students that `student_ids` names. `no_valid_students` if a list that is not empty names none: it usually
 * contains other identifiers, and replacing the members by it would empty the group.
 */
export async function requireNamedStudents(tx: Transaction, idsOrEmails: readonly string[]): Promise<StudentMatches> {
  const named = await matchStudents(tx, idsOrEmails);
  if (named.ids.length > 0 || idsOrEmails.length === 0) return named;
  throw noValidStudents('None of student_ids is the internal id or login email of a student of this institution; GET /students?student_id= finds students by your own identifier.');
}

/** Returns the error for `student_ids` of whom nobody fits. */
export const noValidStudents = (message: string): DomainError => fieldError('no_valid_students', [{ path: 'student_ids', message }], message);
