import { readDisabledNotice } from '../../db/repositories/webhooks/endpointNotices';
import type { Domain } from '../../domain/context';
import { recipientOf } from '../../domain/emails/emailPurpose';
import type { WorkflowArguments } from '../../domain/outbox/workflows';
import { openEmail } from '../../domain/people/personalEmail';
import { endpointDisabledEmail } from '../../domain/webhooks/endpointDisabledEmail';
import type { Mailer } from '../../outbound/mail/mailer';
import { createEmailSender } from '../emails/emailSender';
import { sendEmail } from '../emails/sendEmail';

/** The activity of the notice of a disabled endpoint. */
export interface NoticeActivities {
  /**
   * Emails the institution's admin, unless the endpoint was reactivated or there is no admin; `refused` if the mail server
   * permanently refuses the email. Fails with the mailer's error if a retry may succeed.
   */
  sendDisabledNotice(endpoint: WorkflowArguments['endpointDisabledNotice']): Promise<'sent' | 'refused' | 'nobody'>;
}

/** Returns the notice's activity. */
export function createNoticeActivities(domain: Domain, mailer: Pick<Mailer, 'send'>): NoticeActivities {
  const { database, secrets } = domain;
  const sender = createEmailSender(domain, mailer);
  return {
    sendDisabledNotice: async ({ endpointId, institutionId }) => {
      const notice = await readDisabledNotice(database.sql, institutionId, endpointId);
      if (notice === undefined) return 'nobody';
      const email = endpointDisabledEmail({ ...notice, to: openEmail(secrets, { institutionId, userId: notice.admin_id }, notice.admin_email_sealed) });
      return sendEmail(sender, email, { institutionId, kind: 'endpoint_disabled', recipient: recipientOf(notice.admin_id) });
    },
  };
}
