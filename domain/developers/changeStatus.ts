import { writeDeveloperStatus } from '../../db/repositories/developers/changes';
import type { DeveloperRow } from '../../db/repositories/developers/developers';
import { endSessions } from '../../db/repositories/people/people';
import type { Transaction } from '../context';
import { revokeKeysCreatedBy } from '../keys/revokeKeysCreatedBy';
import { signalInvitationChanged } from './invitation';
import { requireDeveloper, requireLockedDeveloper } from './requireDeveloper';
import { transition } from './transitions';

/** What happens to the keys that a suspended developer has created. */
export type SuspensionKeyPolicy = 'revoked' | 'kept';

type ClosedStatus = 'suspended' | 'revoked';

/** Revokes a locked developer's access: ends their sessions and, depending on the policy, revokes the keys they created. */
async function revokeAccess(tx: Transaction, { id, status }: DeveloperRow, closed: ClosedStatus, keys: SuspensionKeyPolicy): Promise<void> {
  if (status !== closed) await writeDeveloperStatus(tx, id, closed, tx.now);
  await endSessions(tx, id, tx.now);
  if (keys === 'revoked') await revokeKeysCreatedBy(tx, id);
}

/**
 * Suspends an active developer: ends their sessions and revokes every key they created unless keys are kept (section
 * Authentication, 4). No-op for a suspended developer, except that kept keys can be revoked by a second request.
 * `conflict` if the developer has not accepted or is revoked.
 */
export async function suspendDeveloper(tx: Transaction, id: string, keys: SuspensionKeyPolicy): Promise<DeveloperRow> {
  const developer = await requireLockedDeveloper(tx, id);
  transition('suspend', developer.status);
  await revokeAccess(tx, developer, 'suspended', keys);
  return requireDeveloper(tx, id);
}

/** Reactivates a suspended developer; revoked keys stay revoked. `conflict` if the developer has not accepted or is revoked. */
export async function reactivateDeveloper(tx: Transaction, id: string): Promise<DeveloperRow> {
  const { status } = await requireLockedDeveloper(tx, id);
  transition('reactivate', status);
  if (status !== 'active') await writeDeveloperStatus(tx, id, 'active', tx.now);
  return requireDeveloper(tx, id);
}

/** Revokes a developer, or an invitation not yet accepted: ends their sessions and revokes every key they created. */
export async function revokeDeveloper(tx: Transaction, id: string): Promise<DeveloperRow> {
  const developer = await requireLockedDeveloper(tx, id);
  await revokeAccess(tx, developer, 'revoked', 'revoked');
  signalInvitationChanged(tx, { developerId: id, invitation: developer.invitation });
  return requireDeveloper(tx, id);
}
