import { addMembers, removeOtherMembers } from '../../db/repositories/groups/members';
import { writeGroup, type GroupColumns } from '../../db/repositories/groups/groups';
import type { Transaction } from '../context';
import { requireOwner } from '../faculty/requireOwner';
import { requireNamedStudents, type ChangedGroup } from './namedMembers';
import { requireGroup, requireLockedGroup } from './requireGroup';

/** The writable fields of a group (section Groups, PATCH); absent fields stay unchanged. */
export interface GroupChanges {
  name?: string | undefined;
  description?: string | null | undefined;
  faculty_id?: string | undefined;
  student_ids?: readonly string[] | undefined;
}

/**
 * Changes a group. `student_ids` replaces all members by the listed students of the institution; an empty list empties the
 * group. `invalid_faculty` if the new owner cannot own it, `no_valid_students` if a list names no student.
 */
export async function updateGroup(tx: Transaction, id: string, changes: GroupChanges): Promise<ChangedGroup> {
  const group = await requireLockedGroup(tx, id);
  const { name = group.name, description = group.description } = changes;
  const faculty_id = changes.faculty_id === undefined ? group.faculty_id : await requireOwner(tx, changes.faculty_id);
  const named = changes.student_ids && (await requireNamedStudents(tx, changes.student_ids));
  const moved = named === undefined ? 0 : await replaceMembers(tx, id, named.ids);
  const after = { ...group, name, description, faculty_id };
  if (moved > 0 || differs(group, after)) await writeGroup(tx, { ...after, updated_at: tx.now });
  return { ...(await requireGroup(tx, id)), skipped: named?.skipped ?? [] };
}

/** Replaces the members of a locked group; returns how many were added and removed. */
async function replaceMembers(tx: Transaction, groupId: string, students: readonly string[]): Promise<number> {
  const gone = await removeOtherMembers(tx, groupId, students);
  return gone + (await addMembers(tx, groupId, students, tx.now));
}

const differs = (before: GroupColumns, after: GroupColumns): boolean =>
  before.name !== after.name || before.description !== after.description || before.faculty_id !== after.faculty_id;
