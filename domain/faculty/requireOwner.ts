import { lockAdminForShare, lockFacultyForShare } from '../../db/repositories/faculty/faculty';
import type { Transaction } from '../context';
import { DomainError } from '../errors';

/**
 * The id of the faculty member who is to own a group or an exam, named by id or login email; of the institution admin
 * where nobody is named. They stay as they are until the commit, so that a suspension comes before or after it.
 * `invalid_faculty` when no active member of the institution is named, `no_owner` when there is no active admin
 * (sections Group and Exam).
 */
export async function requireOwner(tx: Transaction, idOrEmail: string | undefined): Promise<string> {
  const owner = idOrEmail === undefined ? await lockAdminForShare(tx) : await lockFacultyForShare(tx, idOrEmail);
  if (owner?.status === 'active') return owner.id;
  throw idOrEmail === undefined
    ? new DomainError('no_owner', 'faculty_id: the institution has no active admin to own it; name a faculty member.')
    : invalidFaculty();
}

/** What refuses a `faculty_id` that names no active faculty member of the institution; the same words whatever is wrong with them. */
export const invalidFaculty = (): DomainError =>
  new DomainError('invalid_faculty', 'faculty_id: no active faculty member of this institution goes by this id or login email.');
