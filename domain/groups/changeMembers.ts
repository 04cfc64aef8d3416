import { addMembers, removeMembership } from '../../db/repositories/groups/members';
import { writeGroup } from '../../db/repositories/groups/groups';
import { findStudent } from '../../db/repositories/students/students';
import type { Transaction } from '../context';
import { DomainError, notFound } from '../errors';
import { maxMembers } from './limits';
import { requireNamedStudents, type ChangedGroup } from './namedMembers';
import { requireGroup, requireLockedGroup } from './requireGroup';

/**
 * Adds students, named by id or login email, to a group (section Groups). Existing members stay, unknown and foreign
 * students are skipped. `no_valid_students` if the list names no student of the institution, `conflict` if the group
 * would have more than 10,000 members.
 */
export async function addToGroup(tx: Transaction, groupId: string, idsOrEmails: readonly string[]): Promise<ChangedGroup> {
  const group = await requireLockedGroup(tx, groupId);
  const { ids, skipped } = await requireNamedStudents(tx, idsOrEmails);
  const added = await addMembers(tx, groupId, ids, tx.now);
  if (added > 0) await writeGroup(tx, { ...group, updated_at: tx.now });
  const after = await requireGroup(tx, groupId);
  if (after.member_count > maxMembers) throw new DomainError('conflict', `A group can have at most ${maxMembers} members.`);
  return { ...after, skipped };
}

/** Removes a student, named by id or login email, from a group and returns their id. `not_found` if they are not a member. */
export async function removeFromGroup(tx: Transaction, groupId: string, idOrEmail: string): Promise<string> {
  const group = await requireLockedGroup(tx, groupId);
  const student = await findStudent(tx, idOrEmail);
  if (student === undefined || !(await removeMembership(tx, groupId, student.id))) throw notFound('member of this group');
  await writeGroup(tx, { ...group, updated_at: tx.now });
  return student.id;
}
