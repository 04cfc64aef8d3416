import { writeAcceptance } from '../../db/repositories/guardians/linkChanges';
import { lockGuardianLink } from '../../db/repositories/guardians/links';
import { findInstitutionOf } from '../../db/repositories/support/owners';
import { findInvitedGuardian, type InvitedGuardianRow } from '../../db/repositories/guardians/invitations';
import { onClock } from '../clock';
import type { Domain, Transaction } from '../context';
import { DomainError } from '../errors';
import { invitationNotFound, requireNewestInvitation } from '../invitations/requireNewestInvitation';
import { transact } from '../transact';
import { signalInvitationChanged, readInvitationToken, type GuardianInvitation } from './invitation';
import { linkStatus } from './linkStatus';

/**
 * Accepts the invitation of a token, so that its guardian may sign in. `not_found` for an unknown token and a removed
 * link; `conflict` for an invitation that is used, expired or replaced by a newer one; `institution_not_approved` while
 * the institution is suspended or leaves.
 */
export async function acceptInvitation(domain: Domain, token: string, now: Date): Promise<InvitedGuardianRow> {
  const invitation = readInvitationToken(domain.secrets, token);
  if (invitation === undefined) throw invitationNotFound();
  const institution = await findInstitutionOf(domain.database.sql, 'guardian link', invitation.linkId);
  if (institution === undefined) throw invitationNotFound();
  return transact(domain, { institutionId: institution.id, now: onClock(institution, now) }, (tx) => acceptInvitationOfLink(tx, invitation));
}

/** Accepts one invitation of a link; errors of {@link acceptInvitation}. */
export async function acceptInvitationOfLink(tx: Transaction, invitation: GuardianInvitation): Promise<InvitedGuardianRow> {
  const link = await lockGuardianLink(tx, invitation.linkId);
  const to = await findInvitedGuardian(tx, invitation.linkId);
  if (link === undefined || to === undefined) throw invitationNotFound();
  requireNewestInvitation(to, { invited: invitation.invitation, newest: link.invitation });
  const status = linkStatus(link, tx.now);
  if (status !== 'invited') throw new DomainError('conflict', conflictMessages[status]);
  await writeAcceptance(tx, link.id, tx.now);
  signalInvitationChanged(tx, invitation);
  return { ...to, accepted_at: tx.now };
}

const conflictMessages = {
  accepted: 'This invitation has been accepted; sign in with a code.',
  verified: 'This invitation has been accepted; sign in with a code.',
  expired: 'This invitation has expired; ask the institution for a new one.',
};
