import { institutionScope } from '../../db/database';
import { findInvitedDeveloper } from '../../db/repositories/developers/invitations';
import type { Domain } from '../../domain/context';
import { invitationEmail } from '../../domain/developers/invitationEmail';
import { invitationState, type DeveloperInvitationState } from '../../domain/developers/invitationState';
import type { WorkflowArguments } from '../../domain/outbox/workflows';
import type { Mailer } from '../../outbound/mail/mailer';
import { withHeartbeats } from '../heartbeats';
import { sendEmail } from '../emails/sendEmail';
import { activityNow } from '../activityNow';

type InvitationRun = WorkflowArguments['developerInvitation'];

/** What the invitation of a developer calls. `nowMs` is the workflow's time. Each may be repeated. */
export interface DeveloperInvitationActivities {
  /** Reads how it stands, and until when it can be accepted. */
  lookAtDeveloperInvitation(run: InvitationRun, nowMs: number): Promise<{ state: DeveloperInvitationState; expiresAtMs: number }>;
  /**
   * Sends the letter where the invitation is still open; `refused` when the mail server never takes it. Raises the mailer's
   * error, which holds no address, when it may go later.
   */
  sendDeveloperInvitation(run: InvitationRun, nowMs: number): Promise<'sent' | 'refused' | 'not_now'>;
}

/** The invitation's activities over one domain and one mailer; letters lead to the institutions' portal. */
export function createDeveloperInvitationActivities(domain: Domain, mailer: Pick<Mailer, 'send'>, portalUrl: string): DeveloperInvitationActivities {
  const read = async (run: InvitationRun, nowMs: number) => {
    const to = await findInvitedDeveloper(institutionScope(domain.database, run.institutionId), run.developerId);
    return { to, state: invitationState(to, run, activityNow(nowMs)) };
  };
  return {
    lookAtDeveloperInvitation: async (run, nowMs) => {
      const { to, state } = await read(run, nowMs);
      return { state, expiresAtMs: to?.expires_at.getTime() ?? nowMs };
    },
    sendDeveloperInvitation: (run, nowMs) =>
      withHeartbeats(async () => {
        const { to, state } = await read(run, nowMs);
        return to === undefined || state !== 'open' ? 'not_now' : sendEmail(mailer, invitationEmail(domain.secrets, to, portalUrl));
      }),
  };
}
