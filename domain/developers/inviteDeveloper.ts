import { upsertDeveloper, writeDeveloperInvitation } from '../../db/repositories/developers/changes';
import { findDeveloper, type DeveloperRow } from '../../db/repositories/developers/developers';
import { requireApproved } from '../institutions/requireApproved';
import type { Transaction } from '../context';
import { newId } from '../ids';
import { requireNotLoginEmail } from '../people/requireNotLoginEmail';
import { sealOwnAddress } from '../people/ownAddress';
import { invitationExpiresAt, startInvitationWorkflow } from './invitation';
import { requireNewAddressAllowed } from '../quotas/newAddresses';
import { requireDeveloper } from './requireDeveloper';
import { transition } from './transitions';

/** The developer to invite. */
export interface NewDeveloper {
  email: string;
  name: string;
}

/**
 * Invites a developer by email, valid for 7 days (section Authentication, 4). `already_added` if the address belongs to an
 * invited, active or suspended developer; a revoked one is invited again. `validation_error` for a login email of the
 * institution; `conflict` beyond its daily quota of new addresses. `institution_not_approved`.
 */
export async function inviteDeveloper(tx: Transaction, invitedBy: string, { email, name }: NewDeveloper): Promise<DeveloperRow> {
  await requireApproved(tx);
  await requireNotLoginEmail(tx, 'email', email);
  const address = await sealOwnAddress(tx, 'developer', email, newId('dev'));
  const developerId = await upsertDeveloper(tx, { fullName: name, ...address }, tx.now);
  // The row is locked from here on, so that two invitations of one address run one after the other.
  const before = await findDeveloper(tx, developerId);
  if (before !== undefined) transition('invite', before.status);
  const invitation = await writeDeveloperInvitation(tx, { id: developerId, invitedBy, expiresAt: invitationExpiresAt(tx.now) }, tx.now);
  startInvitationWorkflow(tx, { developerId, invitation });
  await requireNewAddressAllowed(tx);
  return requireDeveloper(tx, developerId);
}
