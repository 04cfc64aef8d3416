import { extendLockTimeout } from '../../db/lockTimeout';
import { findGroup, lockGroup, type GroupColumns, type GroupRow } from '../../db/repositories/groups/groups';
import type { InstitutionScope } from '../../db/database';
import type { Transaction } from '../context';
import { notFound } from '../errors';

/** A group of the institution, or `not_found`. */
export async function requireGroup(scope: InstitutionScope, id: string): Promise<GroupRow> {
  const group = await findGroup(scope, id);
  if (group === undefined) throw notFound('group');
  return group;
}

/** A group locked for changes of it and of its members, or `not_found`; large memberships take their time to replace. */
export async function requireLockedGroup(tx: Transaction, id: string): Promise<GroupColumns> {
  await extendLockTimeout(tx);
  const group = await lockGroup(tx, id);
  if (group === undefined) throw notFound('group');
  return group;
}
