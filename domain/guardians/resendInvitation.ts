import { writeNextInvitation } from '../../db/repositories/guardians/linkChanges';
import { lockGuardianLink, type GuardianLinkRow } from '../../db/repositories/guardians/links';
import type { Transaction } from '../context';
import { DomainError } from '../errors';
import { emailFingerprint } from '../people/personalEmail';
import { lookAgain, expiryOf, oweInvitation } from './invitation';
import { requireActive } from './inviteGuardian';
import { limitLetters } from './limitInvitationEmails';
import { required, requireLink } from './requireLink';

/** How long after an invitation it can be sent again, in ms. */
const resendAfterMs = 10 * 60_000;

/**
 * Invites the guardian of a link anew, for 14 days from now; the invitation before is worth nothing any more, accepted or not.
 * `already_verified` of a verified link, `user_inactive` while the student is suspended; `conflict` within ten minutes of the
 * invitation before, and after ten letters to the address within a day.
 */
export async function resendInvitation(tx: Transaction, id: string): Promise<GuardianLinkRow> {
  const link = required(await lockGuardianLink(tx, id));
  if (link.verified_at !== null) throw new DomainError('already_verified', 'This guardian has signed in already.');
  requireActive(link.student_status);
  const fromAt = new Date(link.invited_at.getTime() + resendAfterMs);
  if (fromAt > tx.now) throw new DomainError('conflict', `The last invitation has only just gone; it can be sent again from ${fromAt.toISOString()} on.`);
  await limitLetters(tx, emailFingerprint(tx.secrets, tx.secrets.open(link.guardian_email_sealed)));
  await writeNextInvitation(tx, id, expiryOf(tx.now), tx.now);
  lookAgain(tx, { linkId: id, invitation: link.invitation });
  oweInvitation(tx, { linkId: id, invitation: link.invitation + 1 });
  return requireLink(tx, id);
}
