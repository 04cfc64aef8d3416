import { lockFaculty, writeFaculty, type FacultyRow, type FacultyStatus } from '../../db/repositories/faculty/faculty';
import { endSessions } from '../../db/repositories/people/people';
import type { Transaction } from '../context';
import { requireNotErased } from '../erasure/requireNotErased';
import { DomainError, requireFound } from '../errors';
import { canTransition } from '../transitions';
import { facultyTransitions } from './transitions';

/** The writable fields of a faculty member (section Faculty, PATCH); absent fields stay unchanged. */
export interface FacultyChanges {
  full_name?: string | undefined;
  faculty_id?: string | null | undefined;
  status?: FacultyStatus | undefined;
}

/**
 * Changes a faculty member on behalf of an API key. A key cannot change the institution admin, because a developer may
 * have created the key: `conflict`, unless nothing changes. `not_found` if the institution has no such member.
 */
export async function updateFaculty(tx: Transaction, idOrEmail: string, changes: FacultyChanges): Promise<FacultyRow> {
  const member = requireFound(await lockFaculty(tx, idOrEmail), 'faculty member');
  requireNotErased(member, 'faculty member');
  if (member.is_admin && differs(member, withChanges(member, changes))) throw adminChangeConflict();
  return writeFacultyChanges(tx, member, changes);
}

/**
 * Writes changes of a locked faculty member. A suspension ends their sessions in the same transaction; what they own
 * stays theirs. The specification has no event for it.
 */
export async function writeFacultyChanges(tx: Transaction, member: FacultyRow, changes: FacultyChanges): Promise<FacultyRow> {
  const after = withChanges(member, changes);
  await writeFaculty(tx, after, tx.now);
  if (after.status === 'suspended' && member.status !== after.status) await endSessions(tx, member.id, tx.now);
  return after;
}

function withChanges(member: FacultyRow, changes: FacultyChanges): FacultyRow {
  const { full_name = member.full_name, faculty_id: external_id = member.external_id } = changes;
  const status = changes.status !== undefined && canTransition(facultyTransitions, member.status, changes.status) ? changes.status : member.status;
  return { ...member, full_name, external_id, status };
}

const differs = (before: FacultyRow, after: FacultyRow): boolean =>
  before.full_name !== after.full_name || before.external_id !== after.external_id || before.status !== after.status;

const adminChangeConflict = (): DomainError =>
  new DomainError('conflict', 'API keys cannot change or suspend the institution admin; the admin hands the role over, or ask the operators of the platform.');
