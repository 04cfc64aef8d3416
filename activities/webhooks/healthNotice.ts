import { readHealthNotice } from '../../db/repositories/webhooks/endpointNotices';
import type { Domain } from '../../domain/context';
import { recipientOf } from '../../domain/emails/emailPurpose';
import type { WorkflowArguments } from '../../domain/outbox/workflows';
import { openEmail } from '../../domain/people/personalEmail';
import { endpointFailingEmail } from '../../domain/webhooks/endpointFailingEmail';
import { endpointRecoveredEmail } from '../../domain/webhooks/endpointRecoveredEmail';
import type { Mailer } from '../../outbound/mail/mailer';
import { activityNow } from '../activityNow';
import { createEmailSender } from '../emails/emailSender';
import { sendEmail } from '../emails/sendEmail';

/** The activity of the notice that an endpoint fails or has recovered. `nowMs` is the workflow's time. */
export interface HealthNoticeActivities {
  /**
   * Emails the institution's admin; `nobody` if there is none, the endpoint is deleted, or a warning is out of date: the endpoint
   * has recovered, was warned of again or was disabled. `refused` if the mail server permanently refuses the email. Fails with
   * the mailer's error if a retry may succeed.
   */
  sendHealthNotice(notice: WorkflowArguments['endpointHealthNotice'], nowMs: number): Promise<'sent' | 'refused' | 'nobody'>;
}

const writers = {
  failing: { kind: 'endpoint_failing', write: endpointFailingEmail },
  recovered: { kind: 'endpoint_recovered', write: endpointRecoveredEmail },
} as const;

/** Returns the notice's activity. */
export function createHealthNoticeActivities(domain: Domain, mailer: Pick<Mailer, 'send'>): HealthNoticeActivities {
  const { database, secrets } = domain;
  const sender = createEmailSender(domain, mailer);
  return {
    sendHealthNotice: async (notice, nowMs) => {
      const { institutionId, endpointId, kind, percent, atMs } = notice;
      const found = await readHealthNotice(database.sql, institutionId, endpointId);
      if (found === undefined) return 'nobody';
      const outOfDate = kind === 'failing' && (found.warned_percent !== percent || atMs <= (await activityNow(database.sql, institutionId, nowMs)).getTime());
      if (outOfDate) return 'nobody';
      const { kind: emailKind, write } = writers[kind];
      const email = write({ ...found, to: openEmail(secrets, { institutionId, userId: found.admin_id }, found.admin_email_sealed) }, notice);
      return sendEmail(sender, email, { institutionId, kind: emailKind, recipient: recipientOf(found.admin_id) });
    },
  };
}
