import { writeDeveloperStatus } from '../../db/repositories/developers/changes';
import type { DeveloperRow } from '../../db/repositories/developers/developers';
import { endSessions } from '../../db/repositories/people/people';
import type { Transaction } from '../context';
import { revokeKeysOf } from '../keys/revokeKeysCreatedBy';
import { lookAgain } from './invitation';
import { requireDeveloper, requireLockedDeveloper } from './requireDeveloper';
import { turn } from './transitions';

/** What becomes of the keys that a suspended developer has created. */
export type KeysAtSuspension = 'revoked' | 'kept';

type Closed = 'suspended' | 'revoked';

/** Closes the portal to a locked developer: sessions end, and the keys they created with them. */
async function close(tx: Transaction, { id, status }: DeveloperRow, closed: Closed, keys: KeysAtSuspension): Promise<void> {
  if (status !== closed) await writeDeveloperStatus(tx, id, closed, tx.now);
  await endSessions(tx, id, tx.now);
  if (keys === 'revoked') await revokeKeysOf(tx, id);
}

/**
 * Suspends an active developer: their sessions end at once, and every key they created is revoked unless keys are kept
 * (section Authentication, 4). A suspended one stays so; keys that were kept can be revoked by asking again. `conflict`
 * of one who has not accepted, or is revoked.
 */
export async function suspendDeveloper(tx: Transaction, id: string, keys: KeysAtSuspension): Promise<DeveloperRow> {
  const developer = await requireLockedDeveloper(tx, id);
  turn('suspend', developer.status);
  await close(tx, developer, 'suspended', keys);
  return requireDeveloper(tx, id);
}

/** Lets a suspended developer in again; revoked keys stay revoked. `conflict` of one who has not accepted, or is revoked. */
export async function reactivateDeveloper(tx: Transaction, id: string): Promise<DeveloperRow> {
  const { status } = await requireLockedDeveloper(tx, id);
  turn('reactivate', status);
  if (status !== 'active') await writeDeveloperStatus(tx, id, 'active', tx.now);
  return requireDeveloper(tx, id);
}

/** Revokes a developer, or the invitation of one who has not accepted: sessions end, and every key they created is revoked. */
export async function revokeDeveloper(tx: Transaction, id: string): Promise<DeveloperRow> {
  const developer = await requireLockedDeveloper(tx, id);
  await close(tx, developer, 'revoked', 'revoked');
  lookAgain(tx, { developerId: id, invitation: developer.invitation });
  return requireDeveloper(tx, id);
}
