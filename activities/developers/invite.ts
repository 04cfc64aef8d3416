import { institutionScope } from '../../db/database';
import { findInvitedDeveloper } from '../../db/repositories/developers/invitations';
import type { Domain } from '../../domain/context';
import { invitationEmail } from '../../domain/developers/invitationEmail';
import { invitationState, type DeveloperInvitationState } from '../../domain/developers/invitationState';
import { recipientOf } from '../../domain/emails/emailPurpose';
import type { WorkflowArguments } from '../../domain/outbox/workflows';
import type { Mailer } from '../../outbound/mail/mailer';
import { withHeartbeats } from '../heartbeats';
import { createEmailSender } from '../emails/emailSender';
import { sendEmail } from '../emails/sendEmail';
import { activityTime, clockAhead } from '../activityNow';

type InvitationRun = WorkflowArguments['developerInvitation'];

/** The activities of a developer's invitation. `nowMs` is the workflow's time. All are idempotent. */
export interface DeveloperInvitationActivities {
  /** Reads the invitation's state and expiry, and how far the clock of a sandbox is ahead. */
  lookAtDeveloperInvitation(run: InvitationRun, nowMs: number): Promise<{ state: DeveloperInvitationState; expiresAtMs: number; clockOffsetMs?: number }>;
  /**
   * Sends the email if the invitation is still open; `refused` if the mail server permanently refuses it. Fails with the
   * mailer's error, which contains no address, if a retry may succeed.
   */
  sendDeveloperInvitation(run: InvitationRun, nowMs: number): Promise<'sent' | 'refused' | 'not_now'>;
}

/** Returns the invitation's activities; emails link to the institutions' portal. */
export function createDeveloperInvitationActivities(domain: Domain, mailer: Pick<Mailer, 'send'>, portalUrl: string): DeveloperInvitationActivities {
  const sender = createEmailSender(domain, mailer);
  const read = async (run: InvitationRun, nowMs: number) => {
    const to = await findInvitedDeveloper(institutionScope(domain.database, run.institutionId), run.developerId);
    const time = await activityTime(domain.database.sql, run.institutionId, nowMs);
    return { to, state: invitationState(to, run, time.now), time };
  };
  return {
    lookAtDeveloperInvitation: async (run, nowMs) => {
      const { to, state, time } = await read(run, nowMs);
      return { state, expiresAtMs: to?.expires_at.getTime() ?? nowMs, ...clockAhead(time) };
    },
    sendDeveloperInvitation: (run, nowMs) =>
      withHeartbeats(async () => {
        const { to, state } = await read(run, nowMs);
        if (to === undefined || state !== 'open') return 'not_now';
        const { institutionId, developerId } = run;
        return sendEmail(sender, invitationEmail(domain.secrets, to, portalUrl), { institutionId, kind: 'developer_invitation', recipient: recipientOf(developerId) });
      }),
  };
}
