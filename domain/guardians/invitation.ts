import { timingSafeEqual } from 'node:crypto';
import type { Transaction } from '../context';
import { guardianInvitationWorkflowId } from '../owed/workflows';
import type { SecretBox } from '../secrets/secretBox';

/** How long an invitation can be accepted, and then be signed in with for the first time, in ms. */
const invitationLifetimeMs = 14 * 24 * 3_600_000;

/** One invitation of a link: the link's id, and its number from 1. */
export interface Invitation {
  linkId: string;
  invitation: number;
}

/** When an invitation that is made now expires. */
export const expiryOf = (now: Date): Date => new Date(now.getTime() + invitationLifetimeMs);

/** Owes the letters of a link's newest invitation. */
export function oweInvitation(tx: Transaction, { linkId, invitation }: Invitation): void {
  tx.startWorkflow('guardianInvitation', guardianInvitationWorkflowId(linkId, invitation), { linkId, institutionId: tx.institutionId, invitation });
}

/** Tells whatever waits for an invitation that its link has changed. */
export function lookAgain(tx: Transaction, { linkId, invitation }: Invitation): void {
  tx.signalWorkflow('look', guardianInvitationWorkflowId(linkId, invitation), {});
}

type Fingerprints = Pick<SecretBox, 'fingerprint'>;

const macOf = (secrets: Fingerprints, { linkId, invitation }: Invitation): string =>
  secrets.fingerprint('guardian_invitation', `${linkId}\0${invitation}`).toString('base64url');

/** The token that an invitation's letter carries. It is kept nowhere: whoever has the keys makes it anew. */
export function invitationToken(secrets: Fingerprints, invitation: Invitation): string {
  return `${invitation.linkId}.${invitation.invitation}.${macOf(secrets, invitation)}`;
}

/** The invitation of a token that we made; undefined for any other text. Compared in constant time. */
export function readInvitationToken(secrets: Fingerprints, token: string): Invitation | undefined {
  const [, linkId = '', number = '', mac = ''] = /^(gdn_[0-9a-z]{1,40})\.([1-9]\d{0,8})\.([\w-]{43})$/.exec(token) ?? [];
  if (linkId === '') return undefined;
  const invitation = { linkId, invitation: Number(number) };
  return timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(secrets, invitation))) ? invitation : undefined;
}
