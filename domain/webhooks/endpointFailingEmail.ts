import type { HealthNotice } from '../../db/repositories/webhooks/endpointNotices';
import type { WorkflowArguments } from '../outbox/workflows';
import { formatDateTimeWithUtc, paragraphsBody, type EmailMessage } from '../emails/email';
import { toPlainName } from '../emails/plainName';
import { endpointLine } from './endpointLine';

type Notice = Pick<WorkflowArguments['endpointHealthNotice'], 'percent' | 'failingSinceMs' | 'atMs'>;

/** Returns the email to an institution's admin that warns of a failing webhook endpoint: what to do first and with which login, which endpoint, since when it fails, and when it will be disabled. */
export function endpointFailingEmail({ to, admin_login_email, endpoint_id, url, description, institution_name, login_domain, time_zone }: HealthNotice & { to: string }, { percent, failingSinceMs, atMs }: Notice): EmailMessage {
  const paragraphs = [
    `Please repair the receiver of the webhook endpoint below. To see its failed deliveries, sign in to the portal as ${admin_login_email}. If you cannot repair it in time, pause the endpoint: pauses do not count.`,
    `No delivery to this endpoint of ${toPlainName(institution_name)} has succeeded for ${percent} % of the time after which it is disabled. Then it receives no events, and its open deliveries are dead.`,
    `Endpoint: ${endpointLine({ endpoint_id, url, description })}`,
    `Has failed since: ${formatDateTimeWithUtc(new Date(failingSinceMs), time_zone)}`,
    `Will be disabled: ${formatDateTimeWithUtc(new Date(atMs), time_zone)}`,
    'One delivery that your receiver answers with a 2xx status is enough to prevent this.',
  ];
  return {
    to,
    subject: `Webhook endpoint failing at ${toPlainName(institution_name)}`,
    ...paragraphsBody(paragraphs),
    messageId: `<${endpoint_id}.failing.${failingSinceMs}.${percent}@${login_domain}>`,
  };
}
