import type { Transaction } from '../context';
import { verifyInvitationToken, createInvitationToken, type Fingerprinter } from '../invitations/token';
import { guardianInvitationWorkflowId } from '../outbox/workflows';

/** How long an invitation can be accepted, and then be signed in with for the first time, in ms. */
const invitationLifetimeMs = 14 * 24 * 3_600_000;

/** One invitation of a link: the link's id, and its number from 1. */
export interface GuardianInvitation {
  linkId: string;
  invitation: number;
}

/** When an invitation that is made now expires. */
export const invitationExpiresAt = (now: Date): Date => new Date(now.getTime() + invitationLifetimeMs);

/** Owes the letters of a link's newest invitation. */
export function startInvitationWorkflow(tx: Transaction, { linkId, invitation }: GuardianInvitation): void {
  tx.startWorkflow('guardianInvitation', guardianInvitationWorkflowId(linkId, invitation), { linkId, institutionId: tx.institutionId, invitation });
}

/** Tells whatever waits for an invitation that its link has changed. */
export function signalInvitationChanged(tx: Transaction, { linkId, invitation }: GuardianInvitation): void {
  tx.signalWorkflow('look', guardianInvitationWorkflowId(linkId, invitation), {});
}

/** The token that an invitation's letter carries. */
export function invitationToken(secrets: Fingerprinter, { linkId, invitation }: GuardianInvitation): string {
  return createInvitationToken(secrets, 'gdn', { id: linkId, invitation });
}

/** The invitation of a token that we made; undefined for any other text. */
export function readInvitationToken(secrets: Fingerprinter, token: string): GuardianInvitation | undefined {
  const invited = verifyInvitationToken(secrets, 'gdn', token);
  return invited && { linkId: invited.id, invitation: invited.invitation };
}
