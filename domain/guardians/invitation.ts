import type { Transaction } from '../context';
import { verifyInvitationToken, createInvitationToken, type Fingerprinter, type Verifier } from '../invitations/token';
import { guardianInvitationWorkflowId } from '../outbox/workflows';

/** How long an invitation can be accepted, and then used for the first sign-in, in ms. */
const invitationLifetimeMs = 14 * 24 * 3_600_000;

/** One invitation of a link: the link's id, and its number from 1. */
export interface GuardianInvitation {
  linkId: string;
  invitation: number;
}

/** Returns when an invitation created now expires. */
export const invitationExpiresAt = (now: Date): Date => new Date(now.getTime() + invitationLifetimeMs);

/** Appends the start of the workflow that emails a link's newest invitation. */
export function startInvitationWorkflow(tx: Transaction, { linkId, invitation }: GuardianInvitation): void {
  tx.startWorkflow('guardianInvitation', guardianInvitationWorkflowId(linkId, invitation), { linkId, institutionId: tx.institutionId, invitation });
}

/** Signals the workflow of an invitation that its link has changed. */
export function signalInvitationChanged(tx: Transaction, { linkId, invitation }: GuardianInvitation): void {
  tx.signalWorkflow('look', guardianInvitationWorkflowId(linkId, invitation), {});
}

/** Returns the token in the link of an invitation's email. */
export function invitationToken(secrets: Fingerprinter, { linkId, invitation }: GuardianInvitation): string {
  return createInvitationToken(secrets, 'gdn', { id: linkId, invitation });
}

/** Returns the invitation of a token that the service issued; undefined for any other text. */
export function readInvitationToken(secrets: Verifier, token: string): GuardianInvitation | undefined {
  const invited = verifyInvitationToken(secrets, 'gdn', token);
  return invited && { linkId: invited.id, invitation: invited.invitation };
}
