import { lockAdminForShare, lockFacultyForShare } from '../../db/repositories/faculty/faculty';
import type { Transaction } from '../context';
import { fieldError, type DomainError } from '../errors';

/**
 * Returns the id of the faculty member who is to own a group or an exam, named by id or login email, or of the institution
 * admin if none is named. The row is locked until the commit, so that a suspension is committed before or after.
 * `invalid_faculty` if no active member of the institution is named, `no_owner` if there is no active admin (sections
 * Group and Exam).
 */
export async function requireOwner(tx: Transaction, idOrEmail: string | undefined): Promise<string> {
  const owner = idOrEmail === undefined ? await lockAdminForShare(tx) : await lockFacultyForShare(tx, idOrEmail);
  if (owner?.status === 'active') return owner.id;
  throw idOrEmail === undefined
    ? fieldError('no_owner', [{ path: 'faculty_id', message: 'the institution has no active admin to own it; name a faculty member.' }])
    : invalidFaculty();
}

/** Returns the error for a field (`faculty_id`) that names no active faculty member of the institution; the same for every cause. */
export const invalidFaculty = (field = 'faculty_id'): DomainError =>
  fieldError('invalid_faculty', [{ path: field, message: 'no active faculty member of this institution has this id or login email; GET /v1/faculty lists them.' }]);
