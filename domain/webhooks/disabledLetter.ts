import type { DisabledNotice } from '../../db/repositories/endpointNotices';
import { escapeHtml, type Letter } from '../letter';

/** The letter to an institution's admin when the service has disabled one of its webhook endpoints: which, why, what to do. */
export function disabledLetter({ to, endpoint_id, url, disabled_reason, disabled_at, institution_name, login_domain }: DisabledNotice & { to: string }): Letter {
  const said = [
    `A webhook endpoint of ${institution_name} has been disabled: it receives no events any more.`,
    `Endpoint: ${endpoint_id}, ${url}`,
    `Reason: ${disabled_reason}`,
    'Deliveries that were still to be made are dead. Once the receiver works again, set the status of the endpoint to active, then replay what is dead.',
    'Nothing is lost meanwhile: GET /v1/events answers all events of the last 30 days.',
  ];
  return {
    to,
    subject: `Webhook endpoint disabled at ${institution_name}`,
    text: said.join('\n\n'),
    html: said.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n'),
    messageId: `<${endpoint_id}.${disabled_at.getTime()}@${login_domain}>`,
  };
}
