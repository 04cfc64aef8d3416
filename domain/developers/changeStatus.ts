import { writeDeveloperStatus } from '../../db/repositories/developers/changes';
import type { DeveloperRow } from '../../db/repositories/developers/developers';
import { endSessions } from '../../db/repositories/people/people';
import type { Transaction } from '../context';
import { revokeKeysCreatedBy } from '../keys/revokeKeysCreatedBy';
import { signalInvitationChanged } from './invitation';
import { requireDeveloper, requireLockedDeveloper } from './requireDeveloper';
import { transition } from './transitions';

/** What becomes of the keys that a suspended developer has created. */
export type SuspensionKeyPolicy = 'revoked' | 'kept';

type ClosedStatus = 'suspended' | 'revoked';

/** Closes the portal to a locked developer: sessions end, and the keys they created with them. */
async function revokeAccess(tx: Transaction, { id, status }: DeveloperRow, closed: ClosedStatus, keys: SuspensionKeyPolicy): Promise<void> {
  if (status !== closed) await writeDeveloperStatus(tx, id, closed, tx.now);
  await endSessions(tx, id, tx.now);
  if (keys === 'revoked') await revokeKeysCreatedBy(tx, id);
}

/**
 * Suspends an active developer: their sessions end at once, and every key they created is revoked unless keys are kept
 * (section Authentication, 4). A suspended one stays so; keys that were kept can be revoked by asking again. `conflict`
 * of one who has not accepted, or is revoked.
 */
export async function suspendDeveloper(tx: Transaction, id: string, keys: SuspensionKeyPolicy): Promise<DeveloperRow> {
  const developer = await requireLockedDeveloper(tx, id);
  transition('suspend', developer.status);
  await revokeAccess(tx, developer, 'suspended', keys);
  return requireDeveloper(tx, id);
}

/** Lets a suspended developer in again; revoked keys stay revoked. `conflict` of one who has not accepted, or is revoked. */
export async function reactivateDeveloper(tx: Transaction, id: string): Promise<DeveloperRow> {
  const { status } = await requireLockedDeveloper(tx, id);
  transition('reactivate', status);
  if (status !== 'active') await writeDeveloperStatus(tx, id, 'active', tx.now);
  return requireDeveloper(tx, id);
}

/** Revokes a developer, or the invitation of one who has not accepted: sessions end, and every key they created is revoked. */
export async function revokeDeveloper(tx: Transaction, id: string): Promise<DeveloperRow> {
  const developer = await requireLockedDeveloper(tx, id);
  await revokeAccess(tx, developer, 'revoked', 'revoked');
  signalInvitationChanged(tx, { developerId: id, invitation: developer.invitation });
  return requireDeveloper(tx, id);
}
