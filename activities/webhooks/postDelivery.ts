import { splitTracedBody, type ClaimedDelivery } from '../../db/repositories/webhooks/sending';
import { continueTrace } from '../../lib/tracing';
import type { SecretBox } from '../../domain/secrets/secretBox';
import { webhookHeaders } from '../../domain/webhooks/signature';
import { maskHeaderValues } from '../../domain/webhooks/maskHeaderValues';
import { openSending } from '../../domain/webhooks/openSending';
import type { AttemptOutcome } from '../../domain/webhooks/classifyAttempt';
import type { WebhookClient } from '../../outbound/webhooks/webhookClient';

/** Signs and posts one claimed delivery; `now` is the time of the attempt by the clock of its institution, and the signature has the real time. The attempt belongs to the trace of the call that caused the event. Fails if the event was pruned. */
export async function postDelivery(client: WebhookClient, secrets: SecretBox, delivery: ClaimedDelivery, now: Date): Promise<AttemptOutcome> {
  if (delivery.traced_body === null) throw new Error('The event of this delivery was pruned');
  const { traceContext, body } = splitTracedBody(delivery.traced_body);
  const sending = openSending(secrets, delivery, now);
  const headers = webhookHeaders({
    deliveryId: delivery.id,
    eventId: delivery.event_id,
    eventType: delivery.event_type,
    ...sending,
    timestampSeconds: Math.floor((now.getTime() - delivery.clock_offset_ms) / 1_000),
    body,
  });
  const spanAttributes = { institution_id: delivery.institution_id, endpoint_id: delivery.endpoint_id, delivery_id: delivery.id, event_type: delivery.event_type, attempt: delivery.attempts + 1 };
  const outcome = await continueTrace(traceContext, () => client.post({ url: delivery.url, headers, body, spanAttributes }));
  return maskHeaderValues(outcome, sending.customHeaders);
}
