import { institutionScope } from '../../db/database';
import { findInvitedGuardian } from '../../db/repositories/guardians/invitations';
import type { Domain } from '../../domain/context';
import { invitationEmail, type InvitationEmailKind } from '../../domain/guardians/invitationEmail';
import { invitationState, type GuardianInvitationState } from '../../domain/guardians/invitationState';
import type { WorkflowArguments } from '../../domain/outbox/workflows';
import type { Mailer } from '../../outbound/mail/mailer';
import { withHeartbeats } from '../heartbeats';
import { sendEmail } from '../emails/sendEmail';
import { activityNow } from '../activityNow';

type InvitationRun = WorkflowArguments['guardianInvitation'];

/** How it stands with an invitation, and until when it can be accepted. */
export interface InvitationStatus {
  state: GuardianInvitationState;
  expiresAtMs: number;
}

/** What the invitation of a guardian calls. `nowMs` is the workflow's time. Each may be repeated. */
export interface InvitationActivities {
  /** Reads how it stands. */
  lookAtInvitation(run: InvitationRun, nowMs: number): Promise<InvitationStatus>;
  /**
   * Sends a letter where the invitation is still open; `refused` when the mail server never takes it. Raises the mailer's
   * error, which holds no address, when it may go later.
   */
  sendInvitation(run: InvitationRun, letter: InvitationEmailKind, nowMs: number): Promise<'sent' | 'refused' | 'not_now'>;
}

/** The invitation's activities over one domain and one mailer; letters lead to the guardian portal. */
export function createInvitationActivities(domain: Domain, mailer: Pick<Mailer, 'send'>, guardianPortalUrl: string): InvitationActivities {
  const read = async (run: InvitationRun, nowMs: number) => {
    const to = await findInvitedGuardian(institutionScope(domain.database, run.institutionId), run.linkId);
    return { to, state: invitationState(to, run, activityNow(nowMs)) };
  };
  return {
    lookAtInvitation: async (run, nowMs) => {
      const { to, state } = await read(run, nowMs);
      return { state, expiresAtMs: to?.expires_at.getTime() ?? nowMs };
    },
    sendInvitation: (run, letter, nowMs) =>
      withHeartbeats(async () => {
        const { to, state } = await read(run, nowMs);
        return to === undefined || state !== 'open' ? 'not_now' : sendEmail(mailer, invitationEmail(domain.secrets, to, letter, guardianPortalUrl));
      }),
  };
}
