import { lockExamsOfGroup, unassignAllOfGroup } from '../../db/repositories/exams/assignments';
import { lockGroupExclusively, removeGroup } from '../../db/repositories/groups/groups';
import { extendLockTimeout } from '../../db/lockTimeout';
import type { Transaction } from '../context';
import { requireFound } from '../errors';

/**
 * Deletes a group with its memberships and exam assignments; students, exams and submissions stay. Updates `updated_at` of
 * these exams, so that integrators notice the change.
 */
export async function deleteGroup(tx: Transaction, id: string): Promise<void> {
  await extendLockTimeout(tx);
  await lockExamsOfGroup(tx, id);
  requireFound(await lockGroupExclusively(tx, id), 'group');
  await unassignAllOfGroup(tx, id, tx.now);
  await removeGroup(tx, id);
}
