import { writeNextInvitation } from '../../db/repositories/guardianLinkChanges';
import { lockGuardianLink, type GuardianLinkRow } from '../../db/repositories/guardianLinks';
import type { Transaction } from '../context';
import { DomainError } from '../errors';
import { lookAgain, expiryOf, oweInvitation } from './invitation';
import { requireActive } from './inviteGuardian';
import { required, requireLink } from './requireLink';

/**
 * Invites the guardian of a link anew, for 14 days from now; the invitation before is worth nothing any more, accepted or not.
 * `already_verified` of a verified link, `user_inactive` while the student is suspended.
 */
export async function resendInvitation(tx: Transaction, id: string): Promise<GuardianLinkRow> {
  const link = required(await lockGuardianLink(tx, id));
  if (link.verified_at !== null) throw new DomainError('already_verified', 'This guardian has signed in already.');
  requireActive(link.student_status);
  await writeNextInvitation(tx, id, expiryOf(tx.now), tx.now);
  lookAgain(tx, { linkId: id, invitation: link.invitation });
  oweInvitation(tx, { linkId: id, invitation: link.invitation + 1 });
  return requireLink(tx, id);
}
