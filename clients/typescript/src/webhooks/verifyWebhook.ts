import { hasValidSignature } from '../hasValidSignature';
import type { Event } from '../openapi';
import { hasStandardSignature, isPublicKey } from './standardSignature';

/** Why a request is no webhook of the service. */
export type WebhookVerificationReason = 'signature_missing' | 'signature_invalid' | 'timestamp_invalid' | 'body_invalid';

const messages: Record<WebhookVerificationReason, string> = {
  signature_missing: 'The request has no signature that can be verified: X-Svc-Signature or webhook-signature with a secret, webhook-signature with a public key.',
  signature_invalid: 'The signature does not match: check that the secret or the public key is that of this endpoint, and that the body is the bytes as they came.',
  timestamp_invalid: 'The signature matches, but its time differs by more than five minutes from the clock of this machine.',
  body_invalid: 'The body is signed, but it is no event.',
};

/** The error of a request that must not be processed; `reason` says what is wrong with it. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';

  constructor(readonly reason: WebhookVerificationReason, options?: { cause?: unknown }) {
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

/** Headers of the fetch API. */
interface FetchHeaders {
  get(name: string): string | null;
}

/** The headers of a request: those of the fetch API, or an object as node:http has it. */
export type WebhookHeaders = FetchHeaders | Readonly<Record<string, string | readonly string[] | undefined>>;

const isFetchHeaders = (headers: WebhookHeaders): headers is FetchHeaders => typeof headers.get === 'function';

/** Returns the first value of a header, in any case of its name; empty without one. */
function readHeader(headers: WebhookHeaders, name: string): string {
  if (isFetchHeaders(headers)) return headers.get(name) ?? '';
  const value = headers[name] ?? Object.entries(headers).find(([other]) => other.toLowerCase() === name)?.[1];
  return (typeof value === 'string' ? value : value?.[0]) ?? '';
}

/** The signatures of a request. */
interface Signatures {
  /** `X-Svc-Signature` */
  service: string;
  standard: { id: string; timestamp: string; signatures: string };
}

const signaturesOf = (headers: WebhookHeaders): Signatures => ({
  service: readHeader(headers, 'x-svc-signature'),
  standard: { id: readHeader(headers, 'webhook-id'), timestamp: readHeader(headers, 'webhook-timestamp'), signatures: readHeader(headers, 'webhook-signature') },
});

/** The times of the signatures, in Unix seconds. */
const timestampsOf = ({ service, standard }: Signatures): number[] => [Number(/(?:^|,)t=([0-9]{1,12})(?=,|$)/.exec(service)?.[1]), Number(standard.timestamp)];

function requireSignatures({ service, standard }: Signatures, keys: readonly string[]): void {
  if (standard.signatures === '' && (service === '' || keys.every(isPublicKey))) throw new WebhookVerificationError('signature_missing');
}

/** Throws WebhookVerificationError for a request without a signature that one of the keys could have made: its body need not be read. */
export const requireSignature = (headers: WebhookHeaders, keys: readonly string[]): void => requireSignatures(signaturesOf(headers), keys);

/** Throws a TypeError for a body that a parser has read already: its signature is that of the bytes. */
function requireRawBody(rawBody: unknown): void {
  if (typeof rawBody === 'string' || rawBody instanceof Uint8Array) return;
  throw new TypeError('rawBody must be the bytes of the request as they came (Buffer, Uint8Array or text), not a parsed object: take it before the body parser');
}

/**
 * Returns the event of a webhook: its body was signed with the secret, or one of several, within the last five minutes.
 * Throws WebhookVerificationError for everything else, and a TypeError for a secret that is none, or a body that is parsed already. `rawBody` is the body before any parser;
 * `headers` are those of the request, or the value of `X-Svc-Signature` alone. In place of a secret (`whsec_…`), the endpoint's public key
 * (`whpk_…`) verifies its Ed25519 signatures.
 */
export function verifyWebhook(rawBody: Uint8Array | string, headers: WebhookHeaders | string | null | undefined, secret: string | readonly string[], nowSeconds = Date.now() / 1000): Event {
  const keys = requireSecrets(secret);
  requireRawBody(rawBody);
  const given = signaturesOf(typeof headers === 'string' ? { 'x-svc-signature': headers } : (headers ?? {}));
  requireSignatures(given, keys);
  const bytes = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody;
  const isSignedAt = (seconds: number): boolean =>
    keys.some((key) => (!isPublicKey(key) && hasValidSignature(bytes, given.service, key, seconds)) || hasStandardSignature(bytes, given.standard, key, seconds));
  if (isSignedAt(nowSeconds)) return parseEvent(bytes);
  throw new WebhookVerificationError(timestampsOf(given).some(isSignedAt) ? 'timestamp_invalid' : 'signature_invalid');
}

/** What the API returns as the `secret` of an endpoint, and as its `public_key`. */
const signingSecret = /^whsec_(?=.)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const publicKey = /^whpk_[A-Za-z0-9+/]{43}=$/;

const isSigningSecret = (secret: unknown): secret is string => typeof secret === 'string' && (signingSecret.test(secret) || publicKey.test(secret));

/** Whether a text holds several secrets, such as a variable of the environment. */
function isSeveral(text: unknown): boolean {
  const parts = typeof text === 'string' ? text.trim().split(/\s+/) : [];
  return parts.length > 1 && parts.every(isSigningSecret);
}

/** Returns the secrets and public keys of an endpoint; throws a TypeError where one is none, as an unset variable of the environment. */
export function requireSecrets(secret: unknown): readonly string[] {
  const secrets: readonly unknown[] = Array.isArray(secret) ? secret : [secret];
  const isEmpty = (one: unknown): boolean => one === undefined || one === null || one === '';
  if (secrets.length === 0 || secrets.some(isEmpty)) throw new TypeError("secret is empty: it must be the endpoint's signing secret (whsec_…) or its public key (whpk_…)");
  if (secrets.some(isSeveral)) throw new TypeError("secret holds several secrets in one text: split it, as in WEBHOOK_SECRETS.split(' ')");
  if (secrets.some((one) => typeof one === 'string' && /\s/.test(one))) throw new TypeError('secret holds a blank or a line break: read from a file, it needs a trim()');
  if (secrets.some((one) => typeof one === 'string' && /^svc_(live|test)_/.test(one))) {
    throw new TypeError("secret is an API key: it must be the endpoint's signing secret (whsec_…), which its creation answers, or its public key (whpk_…)");
  }
  if (!secrets.every(isSigningSecret)) throw new TypeError("secret must be the endpoint's signing secret, whsec_ and base64, or its public key, whpk_ and base64; several as a list");
  return secrets;
}
