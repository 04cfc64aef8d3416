import { upsertDeveloper, writeDeveloperInvitation } from '../../db/repositories/developers/changes';
import { findDeveloper, type DeveloperRow } from '../../db/repositories/developers/developers';
import { requireApproved } from '../institutions/requireApproved';
import type { Transaction } from '../context';
import { newId } from '../ids';
import { requireNotLoginEmail } from '../people/requireNotLoginEmail';
import { sealEmail } from '../people/personalEmail';
import { invitationExpiresAt, startInvitationWorkflow } from './invitation';
import { requireDeveloper } from './requireDeveloper';
import { transition } from './transitions';

/** Who is to be a developer. */
export interface NewDeveloper {
  email: string;
  name: string;
}

/**
 * Invites a developer by mail, for 7 days (section Authentication, 4). `already_added`: the address is one of a developer
 * who is invited, active or suspended; a revoked one is invited anew. `validation_error`: it is a login email of the
 * institution. `institution_not_approved`.
 */
export async function inviteDeveloper(tx: Transaction, invitedBy: string, { email, name }: NewDeveloper): Promise<DeveloperRow> {
  await requireApproved(tx);
  await requireNotLoginEmail(tx, 'email', email);
  const developerId = await upsertDeveloper(tx, { id: newId('dev'), fullName: name, ...sealEmail(tx.secrets, email) }, tx.now);
  // Taking has locked them, so that two invitations of one address come one after the other.
  const before = await findDeveloper(tx, developerId);
  if (before !== undefined) transition('invite', before.status);
  const invitation = await writeDeveloperInvitation(tx, { id: developerId, invitedBy, expiresAt: invitationExpiresAt(tx.now) }, tx.now);
  startInvitationWorkflow(tx, { developerId, invitation });
  return requireDeveloper(tx, developerId);
}
