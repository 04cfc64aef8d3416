import type { HealthNotice } from '../../db/repositories/webhooks/endpointNotices';
import type { WorkflowArguments } from '../outbox/workflows';
import { escapeHtml, formatDateTime, type EmailMessage } from '../emails/email';

type Notice = Pick<WorkflowArguments['endpointHealthNotice'], 'failingSinceMs' | 'atMs'>;

/** Returns the email to an institution's admin after a webhook endpoint that they were warned of has recovered. */
export function endpointRecoveredEmail({ to, admin_login_email, endpoint_id, url, institution_name, login_domain, time_zone }: HealthNotice & { to: string }, { failingSinceMs, atMs }: Notice): EmailMessage {
  const shown = (ms: number): string => `${formatDateTime(new Date(ms), time_zone)}, ${new Date(ms).toISOString()} in UTC`;
  const paragraphs = [
    `You do not need to do anything. The webhook endpoint below accepts deliveries again, and the events that wait are being sent.`,
    `Endpoint of ${institution_name}: ${endpoint_id}, ${url}`,
    `Had failed since: ${shown(failingSinceMs)}`,
    `Has recovered at: ${shown(atMs)}`,
    `Deliveries that were given up meanwhile are dead. To send them again, sign in to the portal as ${admin_login_email} and replay them.`,
  ];
  return {
    to,
    subject: `Webhook endpoint recovered at ${institution_name}`,
    text: paragraphs.join('\n\n'),
    html: paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n'),
    messageId: `<${endpoint_id}.recovered.${atMs}@${login_domain}>`,
  };
}
