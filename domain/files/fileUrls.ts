import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../secrets/secretBox';

/** How long a signed URL is valid, in seconds (section Limits). */
export const fileUrlSeconds = 3_600;

type Fingerprinter = Pick<SecretBox, 'fingerprint'>;
type Verifier = Pick<SecretBox, 'fingerprints'>;

/** Returns when a URL signed at `now` expires, in Unix seconds; at most one hour ahead. */
export const urlExpiry = (now: Date): number => Math.floor(now.getTime() / 1_000) + fileUrlSeconds;

const urlText = (id: string, expires: number): string => `${id}\0${expires}`;

/** Returns the hex signature of one file's URL and its expiry (Unix seconds). */
export function signFileUrl(secrets: Fingerprinter, id: string, expires: number): string {
  return secrets.fingerprint('file_url', urlText(id, expires)).toString('hex');
}

/** Whether the service issued this expiry and signature for this file, and the URL has not expired. Compares in constant time, with the signature by each key. */
export function isValidFileUrlSignature(secrets: Verifier, { id, expires, signature }: { id: string; expires: string; signature: string }, now: Date): boolean {
  if (!/^\d{1,12}$/.test(expires) || !/^[0-9a-f]{64}$/.test(signature)) return false;
  const valid = secrets.fingerprints('file_url', urlText(id, Number(expires)));
  const good = valid.some((one) => timingSafeEqual(Buffer.from(signature), Buffer.from(one.toString('hex'))));
  return good && now.getTime() < Number(expires) * 1_000;
}

const nonceCharacters = 16;

const nonceText = (id: string, expires: string, nonce: string): string => `${id}\0${expires}\0${nonce}`;
const nonceSignature = (fingerprint: Buffer): string => fingerprint.toString('hex').slice(0, 32);

/**
 * Returns the signed reader of a file's URL: the same for all URLs of a `person`, and unique to this URL without one. A
 * parameter separate from the signature, so that processes of version 0.5.0 accept the URL.
 */
export function signReader(secrets: Fingerprinter, id: string, expires: number, person: string | undefined): string {
  const whose = person === undefined ? randomBytes(nonceCharacters / 2) : secrets.fingerprint('file_url', `reader\0${person}`);
  const nonce = whose.toString('hex').slice(0, nonceCharacters);
  return nonce + nonceSignature(secrets.fingerprint('file_url', nonceText(id, String(expires), nonce)));
}

/** Returns the reader of a URL whose signature is already verified; undefined if it was changed, or is absent as in version 0.5.0. */
export function verifyReader(secrets: Verifier, { id, expires, reader }: { id: string; expires: string; reader: string }): string | undefined {
  const nonce = reader.slice(0, nonceCharacters);
  return secrets.fingerprints('file_url', nonceText(id, expires, nonce)).some((one) => reader === nonce + nonceSignature(one)) ? nonce : undefined;
}
