import { hasValidSignature } from '../hasValidSignature';
import type { Event } from '../openapi';

/** Why a request is no webhook of the service. */
export type WebhookVerificationReason = 'signature_missing' | 'signature_invalid' | 'timestamp_invalid' | 'body_invalid';

const messages: Record<WebhookVerificationReason, string> = {
  signature_missing: 'The request has no X-Svc-Signature.',
  signature_invalid: 'The signature does not match: check that the secret is that of this endpoint, and that the body is the bytes as they came.',
  timestamp_invalid: 'The signature matches, but its time differs by more than five minutes from the clock of this machine.',
  body_invalid: 'The body is signed, but it is no event.',
};

/** The error of a request that must not be processed; `reason` says what is wrong with it. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';

  constructor(readonly reason: WebhookVerificationReason, options?: ErrorOptions) {
    super(messages[reason], options);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Whether a body is an event. The fields of its `data` are those of its type: the service has signed it. */
const isEvent = (value: unknown): value is Event => isObject(value) && typeof value.id === 'string' && typeof value.type === 'string' && isObject(value.data);

function parseEvent(rawBody: Uint8Array): Event {
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder().decode(rawBody));
  } catch (cause) {
    throw new WebhookVerificationError('body_invalid', { cause });
  }
  if (!isEvent(parsed)) throw new WebhookVerificationError('body_invalid');
  return parsed;
}

/** The time of a signature, in Unix seconds. */
const timestampOf = (header: string): number => Number(/(?:^|,)t=([0-9]{1,12})(?=,|$)/.exec(header)?.[1]);

/**
 * Returns the event of a webhook: its body was signed with the secret, or one of several, within the last five minutes.
 * Throws WebhookVerificationError for everything else, and a TypeError for a secret that is none. `rawBody` is the body before any parser.
 */
export function verifyWebhook(rawBody: Uint8Array | string, signatureHeader: string | null | undefined, secret: string | readonly string[], nowSeconds = Date.now() / 1000): Event {
  const secrets = requireSecrets(secret);
  if (signatureHeader == null || signatureHeader === '') throw new WebhookVerificationError('signature_missing');
  const bytes = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody;
  const isSignedAt = (seconds: number): boolean => secrets.some((one) => hasValidSignature(bytes, signatureHeader, one, seconds));
  if (isSignedAt(nowSeconds)) return parseEvent(bytes);
  throw new WebhookVerificationError(isSignedAt(timestampOf(signatureHeader)) ? 'timestamp_invalid' : 'signature_invalid');
}

/** What the API returns as the `secret` of an endpoint. */
const signingSecret = /^whsec_(?=.)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const isSigningSecret = (secret: unknown): secret is string => typeof secret === 'string' && signingSecret.test(secret);

/** Returns the secrets of an endpoint; throws a TypeError where one is none, as an unset variable of the environment. */
export function requireSecrets(secret: unknown): readonly string[] {
  const secrets: readonly unknown[] = Array.isArray(secret) ? secret : [secret];
  if (secrets.length === 0 || !secrets.every(isSigningSecret)) throw new TypeError("secret must be the endpoint's signing secret, whsec_ and base64");
  return secrets;
}
