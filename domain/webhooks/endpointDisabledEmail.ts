import type { DisabledNotice } from '../../db/repositories/webhooks/endpointNotices';
import { paragraphsBody, type EmailMessage } from '../emails/email';
import { toPlainName } from '../emails/plainName';
import { endpointLine } from './endpointLine';

/** Returns the email to an institution's admin after one of its webhook endpoints was disabled: what to do first and with which login, which endpoint, and why. */
export function endpointDisabledEmail({ to, admin_login_email, endpoint_id, url, description, disabled_reason, disabled_at, institution_name, login_domain }: DisabledNotice & { to: string }): EmailMessage {
  const paragraphs = [
    `Please repair the receiver of the webhook endpoint below, then set the endpoint's status to active and replay its dead deliveries: sign in to the portal as ${admin_login_email}.`,
    `This endpoint of ${toPlainName(institution_name)} has been disabled: it receives no events now, and its open deliveries are dead.`,
    `Endpoint: ${endpointLine({ endpoint_id, url, description })}`,
    `Reason: ${disabled_reason}`,
    `No event is lost: once the endpoint is active, POST /v1/webhooks/endpoints/${endpoint_id}/recover sends what it missed, and GET /v1/events lists all events of the last 30 days.`,
  ];
  return {
    to,
    subject: `Webhook endpoint disabled at ${toPlainName(institution_name)}`,
    ...paragraphsBody(paragraphs),
    messageId: `<${endpoint_id}.${disabled_at.getTime()}@${login_domain}>`,
  };
}
