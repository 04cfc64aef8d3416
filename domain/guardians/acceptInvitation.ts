import { writeAcceptance } from '../../db/repositories/guardianLinkChanges';
import { lockGuardianLink } from '../../db/repositories/guardianLinks';
import { findInstitutionOf } from '../../db/repositories/support/owners';
import { findInvitedTo, type InvitedToRow } from '../../db/repositories/guardianInvitations';
import type { Domain, Transaction } from '../context';
import { DomainError } from '../errors';
import { transact } from '../transact';
import { lookAgain, readInvitationToken, type Invitation } from './invitation';
import { linkStatus } from './linkStatus';

const unknown = (): DomainError => new DomainError('not_found', 'No such invitation.');

/**
 * Accepts the invitation of a token; from then on its guardian may sign in. `not_found` for a token that we did not make,
 * and where the link is gone; `conflict` for an invitation that is used, expired, or replaced by a newer one;
 * `institution_not_approved` while the institution is suspended.
 */
export async function acceptInvitation(domain: Domain, token: string, now: Date): Promise<InvitedToRow> {
  const invitation = readInvitationToken(domain.secrets, token);
  if (invitation === undefined) throw unknown();
  const institutionId = await findInstitutionOf(domain.database.sql, 'guardian link', invitation.linkId);
  if (institutionId === undefined) throw unknown();
  return transact(domain, { institutionId, now }, (tx) => accept(tx, invitation));
}

async function accept(tx: Transaction, invitation: Invitation): Promise<InvitedToRow> {
  const link = await lockGuardianLink(tx, invitation.linkId);
  const to = await findInvitedTo(tx, invitation.linkId);
  if (link === undefined || to === undefined) throw unknown();
  if (to.institution_status !== 'approved') throw new DomainError('institution_not_approved', 'The institution is not approved.');
  if (link.invitation !== invitation.invitation) throw new DomainError('conflict', 'A newer invitation has taken the place of this one.');
  const status = linkStatus(link, tx.now);
  if (status !== 'invited') throw new DomainError('conflict', refusals[status]);
  await writeAcceptance(tx, link.id, tx.now);
  lookAgain(tx, invitation);
  return { ...to, accepted_at: tx.now };
}

const refusals = {
  accepted: 'This invitation has been accepted; sign in with a code.',
  verified: 'This invitation has been accepted; sign in with a code.',
  expired: 'This invitation has expired; ask the institution for a new one.',
};
