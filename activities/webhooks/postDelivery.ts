import type { ClaimedDelivery } from '../../db/repositories/webhooks/sending';
import type { SecretBox } from '../../domain/secrets/secretBox';
import { webhookHeaders } from '../../domain/webhooks/signature';
import { maskHeaderValues } from '../../domain/webhooks/maskHeaderValues';
import { openSending } from '../../domain/webhooks/openSending';
import type { AttemptOutcome } from '../../domain/webhooks/classifyAttempt';
import type { WebhookClient } from '../../outbound/webhooks/webhookClient';

/** Signs and posts one claimed delivery; `now` is the time of the attempt by the clock of its institution, and the signature has the real time. Fails if the event was pruned. */
export async function postDelivery(client: WebhookClient, secrets: SecretBox, delivery: ClaimedDelivery, now: Date): Promise<AttemptOutcome> {
  const { body } = delivery;
  if (body === null) throw new Error('The event of this delivery was pruned');
  const sending = openSending(secrets, delivery, now);
  const headers = webhookHeaders({
    deliveryId: delivery.id,
    eventId: delivery.event_id,
    eventType: delivery.event_type,
    ...sending,
    timestampSeconds: Math.floor((now.getTime() - delivery.clock_offset_ms) / 1_000),
    body,
  });
  return maskHeaderValues(await client.post({ url: delivery.url, headers, body }), sending.customHeaders);
}
