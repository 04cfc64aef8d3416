import type { Transaction } from '../context';
import { readToken, tokenOf, type Fingerprints } from '../invitations/token';
import { guardianInvitationWorkflowId } from '../outbox/workflows';

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

/** The token that an invitation's letter carries. */
export function invitationToken(secrets: Fingerprints, { linkId, invitation }: Invitation): string {
  return tokenOf(secrets, 'gdn', { id: linkId, invitation });
}

/** The invitation of a token that we made; undefined for any other text. */
export function readInvitationToken(secrets: Fingerprints, token: string): Invitation | undefined {
  const invited = readToken(secrets, 'gdn', token);
  return invited && { linkId: invited.id, invitation: invited.invitation };
}
