import { lockGuardianLink, type GuardianLinkRow } from '../../db/repositories/guardians/links';
import { lockAccount } from '../../db/repositories/signIn/accounts';
import type { Transaction } from '../context';
import { DomainError, requireFound } from '../errors';
import { acceptInvitationOfLink } from '../guardians/acceptInvitation';
import { requireLink } from '../guardians/requireLink';
import { completeSignIn } from '../signIn/completeSignIn';
import { maySignIn } from '../signIn/maySignIn';

/** Accepts the newest invitation of a link, as its email's token does; `conflict` if it was accepted or has expired. */
export async function acceptNewestInvitation(tx: Transaction, linkId: string): Promise<GuardianLinkRow> {
  const { invitation } = requireFound(await lockGuardianLink(tx, linkId), 'guardian');
  await acceptInvitationOfLink(tx, { linkId, invitation });
  return requireLink(tx, linkId);
}

/**
 * Signs the guardian of a link in, as the code from their mailbox does: all links that they have accepted are verified
 * ({@link completeSignIn}). `conflict` for a guardian without a link that is verified, or accepted and not expired.
 */
export async function signInGuardian(tx: Transaction, linkId: string): Promise<GuardianLinkRow> {
  const { person_id: personId } = await requireLink(tx, linkId);
  const account = requireFound(await lockAccount(tx, personId), 'guardian');
  if (!(await maySignIn(tx, account))) throw new DomainError('conflict', `The guardian cannot sign in: no invitation is accepted, or it has expired. POST /v1/sandbox/guardians/${linkId}/accept accepts one.`);
  await completeSignIn(tx, account, { namedEmail: null, onDevice: undefined });
  return requireLink(tx, linkId);
}
