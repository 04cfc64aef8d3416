import type { Transaction } from '../context';
import { verifyInvitationToken, createInvitationToken, type Fingerprinter } from '../invitations/token';
import { developerInvitationWorkflowId } from '../outbox/workflows';

/** How long an invitation can be accepted, in ms (section Limits). */
const invitationLifetimeMs = 7 * 24 * 3_600_000;

/** One invitation of a developer: their id, and its number from 1. */
export interface DeveloperInvitation {
  developerId: string;
  invitation: number;
}

/** When an invitation that is made now expires. */
export const invitationExpiresAt = (now: Date): Date => new Date(now.getTime() + invitationLifetimeMs);

/** Owes the letter of a developer's newest invitation. */
export function startInvitationWorkflow(tx: Transaction, { developerId, invitation }: DeveloperInvitation): void {
  tx.startWorkflow('developerInvitation', developerInvitationWorkflowId(developerId, invitation), { developerId, institutionId: tx.institutionId, invitation });
}

/** Tells whatever waits for an invitation that its developer has changed. */
export function signalInvitationChanged(tx: Transaction, { developerId, invitation }: DeveloperInvitation): void {
  tx.signalWorkflow('look', developerInvitationWorkflowId(developerId, invitation), {});
}

/** The token that an invitation's letter carries. */
export function invitationToken(secrets: Fingerprinter, { developerId, invitation }: DeveloperInvitation): string {
  return createInvitationToken(secrets, 'dev', { id: developerId, invitation });
}

/** The invitation of a token that we made; undefined for any other text. */
export function readInvitationToken(secrets: Fingerprinter, token: string): DeveloperInvitation | undefined {
  const invited = verifyInvitationToken(secrets, 'dev', token);
  return invited && { developerId: invited.id, invitation: invited.invitation };
}
