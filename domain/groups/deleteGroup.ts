import { lockGroupAlone, removeGroup } from '../../db/repositories/groups';
import type { Transaction } from '../context';
import { notFound } from '../errors';

/** Deletes a group with its memberships and the assignments of exams to it; students, exams and submissions stay. */
export async function deleteGroup(tx: Transaction, id: string): Promise<void> {
  if ((await lockGroupAlone(tx, id)) === undefined) throw notFound('group');
  await removeGroup(tx, id);
}
