import { writeDeveloperStatus } from '../../db/repositories/developers/changes';
import { findInvitedDeveloper, type InvitedDeveloperRow } from '../../db/repositories/developers/invitations';
import { lockDeveloper } from '../../db/repositories/developers/developers';
import { findInstitutionOf } from '../../db/repositories/support/owners';
import { onClock } from '../clock';
import type { Domain, Transaction } from '../context';
import { DomainError } from '../errors';
import { invitationNotFound, requireNewestInvitation } from '../invitations/requireNewestInvitation';
import { transact } from '../transact';
import { signalInvitationChanged, readInvitationToken, type DeveloperInvitation } from './invitation';
import { transition } from './transitions';

type AcceptedDeveloper = InvitedDeveloperRow & { status: 'active' };

/**
 * Accepts the invitation of a token: the developer becomes active and may sign in. `not_found` for an unknown token;
 * `conflict` for an invitation that is used, expired, revoked or replaced by a newer one; `institution_not_approved`
 * while the institution is suspended or leaves.
 */
export async function acceptInvitation(domain: Domain, token: string, now: Date): Promise<AcceptedDeveloper> {
  const invitation = readInvitationToken(domain.secrets, token);
  if (invitation === undefined) throw invitationNotFound();
  const institution = await findInstitutionOf(domain.database.sql, 'developer', invitation.developerId);
  if (institution === undefined) throw invitationNotFound();
  return transact(domain, { institutionId: institution.id, now: onClock(institution, now) }, (tx) => accept(tx, invitation));
}

async function accept(tx: Transaction, invited: DeveloperInvitation): Promise<AcceptedDeveloper> {
  await lockDeveloper(tx, invited.developerId);
  const to = await findInvitedDeveloper(tx, invited.developerId);
  if (to === undefined) throw invitationNotFound();
  requireNewestInvitation(to, { invited: invited.invitation, newest: to.invitation });
  transition('accept', to.status);
  if (to.expires_at <= tx.now) throw new DomainError('conflict', 'This invitation has expired; ask the institution for a new one.');
  await writeDeveloperStatus(tx, to.id, 'active', tx.now);
  signalInvitationChanged(tx, invited);
  return { ...to, status: 'active' };
}
