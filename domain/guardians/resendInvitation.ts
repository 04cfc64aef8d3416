import { writeNextInvitation } from '../../db/repositories/guardians/linkChanges';
import { lockGuardianLink, type GuardianLinkRow } from '../../db/repositories/guardians/links';
import type { Transaction } from '../context';
import { DomainError, requireFound } from '../errors';
import { openEmail } from '../people/personalEmail';
import { signalInvitationChanged, invitationExpiresAt, startInvitationWorkflow } from './invitation';
import { requireActiveStudent } from './inviteGuardian';
import { requireNewAddressAllowed } from '../quotas/newAddresses';
import { limitInvitationEmails } from './limitInvitationEmails';
import { requireLink } from './requireLink';

/** Minimum time between two invitations, in ms. */
const resendAfterMs = 10 * 60_000;

/**
 * Invites the guardian of a link again, for 14 days from now; the previous invitation is no longer valid, accepted or not.
 * `already_verified` for a verified link, `user_inactive` while the student is suspended; `conflict` within ten minutes of
 * the previous invitation, and after ten emails to the address within a day, and beyond the institution's daily quota.
 */
export async function resendInvitation(tx: Transaction, id: string): Promise<GuardianLinkRow> {
  const link = requireFound(await lockGuardianLink(tx, id), 'guardian');
  tx.recordSubject({ student_id: link.student_id });
  if (link.verified_at !== null) throw new DomainError('already_verified', 'This guardian has already signed in.');
  requireActiveStudent(link.student_status);
  const fromAt = new Date(link.invited_at.getTime() + resendAfterMs);
  if (fromAt > tx.now) throw new DomainError('conflict', `The last invitation was sent less than ten minutes ago; retry after ${fromAt.toISOString()}.`);
  await limitInvitationEmails(tx, openEmail(tx.secrets, { institutionId: tx.institutionId, userId: link.person_id }, link.guardian_email_sealed));
  await writeNextInvitation(tx, id, invitationExpiresAt(tx.now), tx.now);
  signalInvitationChanged(tx, { linkId: id, invitation: link.invitation });
  startInvitationWorkflow(tx, { linkId: id, invitation: link.invitation + 1 });
  await requireNewAddressAllowed(tx);
  return requireLink(tx, id);
}
