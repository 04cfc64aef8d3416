import { readDisabledNotice } from '../../db/repositories/webhooks/endpointNotices';
import type { Domain } from '../../domain/context';
import type { WorkflowArguments } from '../../domain/outbox/workflows';
import { endpointDisabledEmail } from '../../domain/webhooks/endpointDisabledEmail';
import type { Mailer } from '../../outbound/mail/mailer';
import { sendEmail } from '../emails/sendEmail';

/** What the notice of a disabled endpoint calls. */
export interface NoticeActivities {
  /**
   * Writes to the institution's admin, unless the endpoint has been brought back or there is no admin; `refused` when the mail
   * server never takes the letter. Raises the mailer's error when it may go later.
   */
  sendDisabledNotice(endpoint: WorkflowArguments['endpointDisabledNotice']): Promise<'sent' | 'refused' | 'nobody'>;
}

/** The notice's activity over one domain and one mailer. */
export function createNoticeActivities({ database, secrets }: Domain, mailer: Pick<Mailer, 'send'>): NoticeActivities {
  return {
    sendDisabledNotice: async ({ endpointId, institutionId }) => {
      const notice = await readDisabledNotice(database.sql, institutionId, endpointId);
      if (notice === undefined) return 'nobody';
      return sendEmail(mailer, endpointDisabledEmail({ ...notice, to: secrets.open(notice.admin_email_sealed) }));
    },
  };
}
