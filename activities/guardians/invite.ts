import { institutionScope } from '../../db/database';
import { findInvitedGuardian } from '../../db/repositories/guardians/invitations';
import type { Domain } from '../../domain/context';
import { invitationEmail, type InvitationEmailKind } from '../../domain/guardians/invitationEmail';
import { invitationState, type GuardianInvitationState } from '../../domain/guardians/invitationState';
import { recipientOf } from '../../domain/emails/emailPurpose';
import type { WorkflowArguments } from '../../domain/outbox/workflows';
import type { Mailer } from '../../outbound/mail/mailer';
import { withHeartbeats } from '../heartbeats';
import { createEmailSender } from '../emails/emailSender';
import { sendEmail } from '../emails/sendEmail';
import { activityTime, clockAhead } from '../activityNow';

type InvitationRun = WorkflowArguments['guardianInvitation'];

/** The state of an invitation, and its expiry. */
export interface InvitationStatus {
  state: GuardianInvitationState;
  expiresAtMs: number;
  /** How far the clock of a sandbox is ahead, by which the expiry is; absent if it is not. */
  clockOffsetMs?: number;
}

/** The activities of a guardian's invitation. `nowMs` is the workflow's time. All are idempotent. */
export interface InvitationActivities {
  /** Reads the invitation's state. */
  lookAtInvitation(run: InvitationRun, nowMs: number): Promise<InvitationStatus>;
  /**
   * Sends an email if the invitation is still open; `refused` if the mail server permanently refuses it. Fails with the
   * mailer's error, which contains no address, if a retry may succeed.
   */
  sendInvitation(run: InvitationRun, kind: InvitationEmailKind, nowMs: number): Promise<'sent' | 'refused' | 'not_now'>;
}

/** Returns the invitation's activities; emails link to the guardian portal. */
export function createInvitationActivities(domain: Domain, mailer: Pick<Mailer, 'send'>, guardianPortalUrl: string): InvitationActivities {
  const sender = createEmailSender(domain, mailer);
  const read = async (run: InvitationRun, nowMs: number) => {
    const to = await findInvitedGuardian(institutionScope(domain.database, run.institutionId), run.linkId);
    const time = await activityTime(domain.database.sql, run.institutionId, nowMs);
    return { to, state: invitationState(to, run, time.now), time };
  };
  return {
    lookAtInvitation: async (run, nowMs) => {
      const { to, state, time } = await read(run, nowMs);
      return { state, expiresAtMs: to?.expires_at.getTime() ?? nowMs, ...clockAhead(time) };
    },
    sendInvitation: (run, kind, nowMs) =>
      withHeartbeats(async () => {
        const { to, state } = await read(run, nowMs);
        if (to === undefined || state !== 'open') return 'not_now';
        const { institutionId, linkId } = run;
        return sendEmail(sender, invitationEmail(domain.secrets, to, kind, guardianPortalUrl), { institutionId, kind: `guardian_${kind}`, recipient: recipientOf(linkId) });
      }),
  };
}
