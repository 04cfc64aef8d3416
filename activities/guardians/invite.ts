import { institutionScope } from '../../db/database';
import { findInvitedTo } from '../../db/repositories/guardians/invitations';
import type { Domain } from '../../domain/context';
import { invitationLetter, type InvitationLetterKind } from '../../domain/guardians/invitationEmail';
import { invitationState, type InvitationState } from '../../domain/guardians/invitationState';
import type { WorkflowArguments } from '../../domain/outbox/workflows';
import type { Mailer } from '../../outbound/mail/mailer';
import { withHeartbeats } from '../heartbeats';
import { sendOrRefused } from '../emails/sendEmail';
import { timeOfWork } from '../activityNow';

type InvitationRun = WorkflowArguments['guardianInvitation'];

/** How it stands with an invitation, and until when it can be accepted. */
export interface InvitationStanding {
  state: InvitationState;
  expiresAtMs: number;
}

/** What the invitation of a guardian calls. `nowMs` is the workflow's time. Each may be repeated. */
export interface InvitationActivities {
  /** Reads how it stands. */
  lookAtInvitation(run: InvitationRun, nowMs: number): Promise<InvitationStanding>;
  /**
   * Sends a letter where the invitation is still open; `refused` when the mail server never takes it. Raises the mailer's
   * error, which holds no address, when it may go later.
   */
  sendInvitation(run: InvitationRun, letter: InvitationLetterKind, nowMs: number): Promise<'sent' | 'refused' | 'not_now'>;
}

/** The invitation's activities over one domain and one mailer; letters lead to the guardian portal. */
export function createInvitationActivities(domain: Domain, mailer: Pick<Mailer, 'send'>, guardianPortalUrl: string): InvitationActivities {
  const read = async (run: InvitationRun, nowMs: number) => {
    const to = await findInvitedTo(institutionScope(domain.database, run.institutionId), run.linkId);
    return { to, state: invitationState(to, run, timeOfWork(nowMs)) };
  };
  return {
    lookAtInvitation: async (run, nowMs) => {
      const { to, state } = await read(run, nowMs);
      return { state, expiresAtMs: to?.expires_at.getTime() ?? nowMs };
    },
    sendInvitation: (run, letter, nowMs) =>
      withHeartbeats(async () => {
        const { to, state } = await read(run, nowMs);
        return to === undefined || state !== 'open' ? 'not_now' : sendOrRefused(mailer, invitationLetter(domain.secrets, to, letter, guardianPortalUrl));
      }),
  };
}
