import { createHmac, randomBytes } from 'node:crypto';

/** An event as it is sent. */
export interface SignedEvent {
  secret: string;
  eventId: string;
  eventType: string;
  deliveryId: string;
  /** Unix seconds. */
  timestampSeconds: number;
  /** The exact text that is sent. */
  body: string;
}

const secretPrefix = 'whsec_';

/** Returns a secret as the service makes them; it signs nothing but what this program sends. */
export const newSecret = (): string => secretPrefix + randomBytes(32).toString('base64');

/**
 * Returns the headers that the service sends with a delivery, both signatures among them. The service's own code is no part of
 * this program; a test holds the two against each other.
 */
export function webhookHeaders({ secret, eventId, eventType, deliveryId, timestampSeconds, body }: SignedEvent): Record<string, string> {
  const key = Buffer.from(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret, 'base64');
  const hex = createHmac('sha256', secret).update(`${timestampSeconds}.${body}`).digest('hex');
  const base64 = createHmac('sha256', key).update(`${eventId}.${timestampSeconds}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'user-agent': 'Svc-Webhooks/1.0',
    'x-svc-event': eventType,
    'x-svc-delivery-id': deliveryId,
    'x-svc-signature': `t=${timestampSeconds},v1=${hex}`,
    'webhook-id': eventId,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': `v1,${base64}`,
  };
}
