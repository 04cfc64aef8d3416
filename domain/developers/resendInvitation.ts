import { writeDeveloperInvitation } from '../../db/repositories/developers/changes';
import type { DeveloperRow } from '../../db/repositories/developers/developers';
import type { Transaction } from '../context';
import { requireApproved } from '../institutions/requireApproved';
import { invitationExpiresAt, signalInvitationChanged, startInvitationWorkflow } from './invitation';
import { requireNewAddressAllowed } from '../quotas/newAddresses';
import { requireDeveloper, requireLockedDeveloper } from './requireDeveloper';
import { transition } from './transitions';

/**
 * Invites a developer again who has not accepted, for 7 days from now; the previous invitation is no longer valid.
 * `conflict` if the developer has accepted or is revoked, and beyond the institution's daily quota. `institution_not_approved`.
 */
export async function resendInvitation(tx: Transaction, invitedBy: string, developerId: string): Promise<DeveloperRow> {
  await requireApproved(tx);
  const { status, invitation } = await requireLockedDeveloper(tx, developerId);
  transition('resend', status);
  const next = await writeDeveloperInvitation(tx, { id: developerId, invitedBy, expiresAt: invitationExpiresAt(tx.now) }, tx.now);
  signalInvitationChanged(tx, { developerId, invitation });
  startInvitationWorkflow(tx, { developerId, invitation: next });
  await requireNewAddressAllowed(tx);
  return requireDeveloper(tx, developerId);
}
