import { extendLockTimeout } from '../../db/lockTimeout';
import { findGroup, lockGroup, type GroupColumns, type GroupRow } from '../../db/repositories/groups/groups';
import type { InstitutionScope } from '../../db/database';
import type { Transaction } from '../context';
import { requireFound } from '../errors';

/** Returns a group of the institution; `not_found`. */
export async function requireGroup(scope: InstitutionScope, id: string): Promise<GroupRow> {
  const group = requireFound(await findGroup(scope, id), 'group');
  return group;
}

/** Returns a group locked for changes of it and its members; `not_found`. The lock timeout is longer, because replacing many members takes time. */
export async function requireLockedGroup(tx: Transaction, id: string): Promise<GroupColumns> {
  await extendLockTimeout(tx);
  const group = requireFound(await lockGroup(tx, id), 'group');
  return group;
}
