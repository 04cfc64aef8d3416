import { writeDeveloperInvitation } from '../../db/repositories/developers/changes';
import type { DeveloperRow } from '../../db/repositories/developers/developers';
import type { Transaction } from '../context';
import { requireApproved } from '../institutions/requireApproved';
import { expiryOf, lookAgain, oweInvitation } from './invitation';
import { requireDeveloper, requireLockedDeveloper } from './requireDeveloper';
import { turn } from './transitions';

/**
 * Invites a developer anew who has not accepted, for 7 days from now; the invitation before is worth nothing any more.
 * `conflict` of one who has accepted, or is revoked. `institution_not_approved`.
 */
export async function resendInvitation(tx: Transaction, invitedBy: string, developerId: string): Promise<DeveloperRow> {
  await requireApproved(tx);
  const { status, invitation } = await requireLockedDeveloper(tx, developerId);
  turn('resend', status);
  const next = await writeDeveloperInvitation(tx, { id: developerId, invitedBy, expiresAt: expiryOf(tx.now) }, tx.now);
  lookAgain(tx, { developerId, invitation });
  oweInvitation(tx, { developerId, invitation: next });
  return requireDeveloper(tx, developerId);
}
