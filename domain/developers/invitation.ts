import type { Transaction } from '../context';
import { verifyInvitationToken, createInvitationToken, type Fingerprinter, type Verifier } from '../invitations/token';
import { developerInvitationWorkflowId } from '../outbox/workflows';

/** How long an invitation can be accepted, in ms (section Limits). */
const invitationLifetimeMs = 7 * 24 * 3_600_000;

/** One invitation of a developer: their id, and its number from 1. */
export interface DeveloperInvitation {
  developerId: string;
  invitation: number;
}

/** Returns when an invitation created now expires. */
export const invitationExpiresAt = (now: Date): Date => new Date(now.getTime() + invitationLifetimeMs);

/** Appends the start of the workflow that emails a developer's newest invitation. */
export function startInvitationWorkflow(tx: Transaction, { developerId, invitation }: DeveloperInvitation): void {
  tx.startWorkflow('developerInvitation', developerInvitationWorkflowId(developerId, invitation), { developerId, institutionId: tx.institutionId, invitation });
}

/** Signals the workflow of an invitation that its developer has changed. */
export function signalInvitationChanged(tx: Transaction, { developerId, invitation }: DeveloperInvitation): void {
  tx.signalWorkflow('look', developerInvitationWorkflowId(developerId, invitation), {});
}

/** Returns the token in the link of an invitation's email. */
export function invitationToken(secrets: Fingerprinter, { developerId, invitation }: DeveloperInvitation): string {
  return createInvitationToken(secrets, 'dev', { id: developerId, invitation });
}

/** Returns the invitation of a token that the service issued; undefined for any other text. */
export function readInvitationToken(secrets: Verifier, token: string): DeveloperInvitation | undefined {
  const invited = verifyInvitationToken(secrets, 'dev', token);
  return invited && { developerId: invited.id, invitation: invited.invitation };
}
