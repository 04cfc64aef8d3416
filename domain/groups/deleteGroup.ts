import { lockExamsOfGroup, unassignAllOfGroup } from '../../db/repositories/exams/assignments';
import { lockGroupExclusively, removeGroup } from '../../db/repositories/groups/groups';
import { extendLockTimeout } from '../../db/lockTimeout';
import type { Transaction } from '../context';
import { notFound } from '../errors';

/**
 * Deletes a group with its memberships and the assignments of exams to it; students, exams and submissions stay. The
 * `updated_at` of these exams moves, for integrators follow them by it.
 */
export async function deleteGroup(tx: Transaction, id: string): Promise<void> {
  await extendLockTimeout(tx);
  await lockExamsOfGroup(tx, id);
  if ((await lockGroupExclusively(tx, id)) === undefined) throw notFound('group');
  await unassignAllOfGroup(tx, id, tx.now);
  await removeGroup(tx, id);
}
