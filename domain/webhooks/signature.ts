import { createHmac, randomBytes } from 'node:crypto';
import type { CustomHeaders } from './customHeaders';
import { signWithKey } from './signingKeys';

const secretPrefix = 'whsec_';

export interface SignatureInput {
  /** Newest first; during a rotation's grace period the previous secret follows. */
  secrets: readonly string[];
  /** Ed25519 keys (`whsk_…`), newest first; none unless the endpoint chose them. */
  signingKeys?: readonly string[];
  /** `evt_…`, by which receivers deduplicate. */
  eventId: string;
  /** Unix seconds of the attempt, not of the event. */
  timestampSeconds: number;
  /** The exact bytes that are sent. */
  body: Buffer | string;
}

// A type, not an interface: it is passed on as a record of headers.
// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- an interface is not assignable to a record
export type SignatureHeaders = {
  'x-svc-signature': string;
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
};

export interface WebhookHeadersInput extends SignatureInput {
  /** `whd_…` */
  deliveryId: string;
  eventType: string;
  /** Headers of the endpoint's owner; ours have other names. */
  customHeaders?: CustomHeaders;
}

/** Returns a new signing secret: `whsec_` and the base64 of 32 random bytes. */
export function newWebhookSecret(): string {
  return secretPrefix + randomBytes(32).toString('base64');
}

/**
 * Signs one attempt in both forms (specification: Events, Delivery 2):
 * `x-svc-signature` is keyed by the whole secret string over `t.body`, `webhook-signature` (Standard Webhooks) by the
 * decoded part of the secret over `id.t.body`. Both carry one signature per secret, in the order given; then
 * `webhook-signature` has one `v1a` per Ed25519 key, over the same `id.t.body`.
 * Throws a RangeError without secrets, so that no delivery is sent unsigned.
 */
export function signWebhook({ secrets, signingKeys = [], eventId, timestampSeconds, body }: SignatureInput): SignatureHeaders {
  if (secrets.length === 0) throw new RangeError('A webhook must be signed with at least one secret');
  let serviceSignature = `t=${timestampSeconds}`;
  let standardSignature = '';
  for (const secret of secrets) {
    const hex = createHmac('sha256', secret).update(`${timestampSeconds}.`).update(body).digest('hex');
    const base64 = createHmac('sha256', decodedKey(secret))
      .update(`${eventId}.${timestampSeconds}.`)
      .update(body)
      .digest('base64');
    serviceSignature += `,v1=${hex}`;
    standardSignature += `${standardSignature === '' ? '' : ' '}v1,${base64}`;
  }
  if (signingKeys.length > 0) {
    const message = Buffer.concat([Buffer.from(`${eventId}.${timestampSeconds}.`), typeof body === 'string' ? Buffer.from(body) : body]);
    for (const key of signingKeys) standardSignature += ` v1a,${signWithKey(key, message)}`;
  }
  return {
    'x-svc-signature': serviceSignature,
    'webhook-id': eventId,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': standardSignature,
  };
}

/** Returns every header of an attempt (specification: Events, Delivery 2), names in lower case. */
export function webhookHeaders(input: WebhookHeadersInput): Record<string, string> {
  return {
    ...input.customHeaders,
    'content-type': 'application/json',
    'user-agent': 'Svc-Webhooks/1.0',
    'x-svc-event': input.eventType,
    'x-svc-delivery-id': input.deliveryId,
    ...signWebhook(input),
  };
}

/** Not cached: decoding takes 0.4 µs of the 6 µs that both signatures of 1 kB take. */
function decodedKey(secret: string): Buffer {
  return Buffer.from(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret, 'base64');
}
