import type { HealthNotice } from '../../db/repositories/webhooks/endpointNotices';
import type { WorkflowArguments } from '../outbox/workflows';
import { formatDateTimeWithUtc, paragraphsBody, type EmailMessage } from '../emails/email';
import { toPlainName } from '../emails/plainName';
import { endpointLine } from './endpointLine';

type Notice = Pick<WorkflowArguments['endpointHealthNotice'], 'failingSinceMs' | 'atMs'>;

/** Returns the email to an institution's admin after a webhook endpoint that they were warned of has recovered. */
export function endpointRecoveredEmail({ to, admin_login_email, endpoint_id, url, description, institution_name, login_domain, time_zone }: HealthNotice & { to: string }, { failingSinceMs, atMs }: Notice): EmailMessage {
  const paragraphs = [
    `You do not need to do anything. The webhook endpoint below accepts deliveries again, and the events that wait are being sent.`,
    `Endpoint of ${toPlainName(institution_name)}: ${endpointLine({ endpoint_id, url, description })}`,
    `Had failed since: ${formatDateTimeWithUtc(new Date(failingSinceMs), time_zone)}`,
    `Has recovered at: ${formatDateTimeWithUtc(new Date(atMs), time_zone)}`,
    `Deliveries that were given up meanwhile are dead. To send them again, sign in to the portal as ${admin_login_email} and replay them.`,
  ];
  return {
    to,
    subject: `Webhook endpoint recovered at ${toPlainName(institution_name)}`,
    ...paragraphsBody(paragraphs),
    messageId: `<${endpoint_id}.recovered.${atMs}@${login_domain}>`,
  };
}
