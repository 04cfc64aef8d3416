import { findFaculty, lockAdmin, lockFaculty, moveAdminRole, type FacultyRow, type FacultyStatus } from '../../db/repositories/faculty/faculty';
import { lockInstitution } from '../../db/repositories/institutions/institutions';
import { hasMailbox } from '../../db/repositories/people/mailboxes';
import { extendLockTimeout } from '../../db/lockTimeout';
import type { Transaction } from '../context';
import { DomainError, requireFound } from '../errors';
import { moveMailbox } from '../people/moveMailbox';
import { invalidFaculty } from './requireOwner';
import { writeFacultyChanges } from './updateFaculty';

/**
 * Suspends the institution admin, whose sessions end, or reactivates them, on behalf of the platform. While the admin is
 * suspended nothing is sent to their mailbox: new faculty get no sign-in codes until the role is transferred. No-op if
 * unchanged. `not_found` if the institution has no admin.
 */
export async function changeAdminStatus(tx: Transaction, status: FacultyStatus): Promise<FacultyRow> {
  await extendLockTimeout(tx);
  await lockInstitution(tx);
  return writeFacultyChanges(tx, await requireLockedAdmin(tx), { status });
}

/**
 * Makes an active faculty member, named by id or login email, the institution admin, on behalf of the platform or of the admin. The previous admin becomes a regular
 * faculty member and keeps status, license and what they own. The institution's mailbox, which the first admin uses until
 * their profile is complete, passes to a successor without a mailbox. No-op if they are already the admin.
 * `invalid_faculty` if no active member is named, `conflict` if the new admin would have no mailbox, because sign-in codes
 * of new faculty are sent there.
 */
export async function transferAdmin(tx: Transaction, idOrEmail: string): Promise<FacultyRow> {
  await extendLockTimeout(tx);
  // Without this lock, the later of two transfers would wait for an admin who is no longer the admin.
  await lockInstitution(tx);
  const admin = await requireLockedAdmin(tx);
  const successor = await lockFaculty(tx, idOrEmail);
  if (successor?.id === admin.id) return admin;
  if (successor?.status !== 'active') throw invalidFaculty();
  if (!(await hasMailbox(tx, successor.id))) {
    if (admin.profile_completed || !(await hasMailbox(tx, admin.id))) throw noMailboxError();
    await moveMailbox(tx, admin.id, successor.id);
  }
  await moveAdminRole(tx, admin.id, successor.id, tx.now);
  const after = await findFaculty(tx, successor.id);
  if (after === undefined) throw new Error('The locked new admin no longer exists');
  return after;
}

async function requireLockedAdmin(tx: Transaction): Promise<FacultyRow> {
  const admin = requireFound(await lockAdmin(tx), 'institution admin', { within: 'service' });
  return admin;
}

const noMailboxError = (): DomainError =>
  new DomainError('conflict', 'faculty_id has no mailbox of their own yet; they must sign in and complete their profile first.');
