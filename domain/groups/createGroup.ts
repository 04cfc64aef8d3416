import { addMembers } from '../../db/repositories/groups/members';
import { insertGroup } from '../../db/repositories/groups/groups';
import { matchStudents } from '../../db/repositories/students/students';
import type { Transaction } from '../context';
import { requireOwner } from '../faculty/requireOwner';
import { newId } from '../ids';
import type { ChangedGroup } from './namedMembers';

/** The fields of a new group (section Groups, POST). */
export interface NewGroup {
  name: string;
  description?: string | null | undefined;
  /** The owner's id or login email; the institution admin if absent. */
  faculty_id?: string | undefined;
  student_ids?: readonly string[] | undefined;
}

/**
 * Creates a group. Students of the institution in `student_ids` (ids or login emails) become members, others are skipped.
 * `invalid_faculty` or `no_owner` if no one can own it.
 */
export async function createGroup(tx: Transaction, { name, description, faculty_id, student_ids }: NewGroup): Promise<ChangedGroup> {
  const group = {
    id: newId('grp'),
    faculty_id: await requireOwner(tx, faculty_id),
    name,
    description: description ?? null,
    created_at: tx.now,
    updated_at: tx.now,
  };
  await insertGroup(tx, group);
  const { ids, skipped } = await matchStudents(tx, student_ids ?? []);
  return { ...group, member_count: await addMembers(tx, group.id, ids, tx.now), skipped };
}
