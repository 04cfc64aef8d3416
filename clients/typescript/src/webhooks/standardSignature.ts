import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';

const toleranceSeconds = 300;
const publicKeyPrefix = 'whpk_';
const ed25519Bytes = 64;

/** The three headers of Standard Webhooks. */
export interface StandardHeaders {
  id: string;
  timestamp: string;
  /** `v1,<base64>` of the secrets and `v1a,<base64>` of the Ed25519 keys, with blanks between them. */
  signatures: string;
}

/** Whether a key is an Ed25519 public key, `whpk_…`, and no secret. */
export const isPublicKey = (key: string): boolean => key.startsWith(publicKeyPrefix);

function matches(key: string, signed: Buffer): (signature: Buffer) => boolean {
  if (isPublicKey(key)) {
    const bytes = Buffer.from(key.slice(publicKeyPrefix.length), 'base64');
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') }, format: 'jwk' });
    return (signature) => signature.length === ed25519Bytes && verify(null, signed, publicKey, signature);
  }
  const expected = createHmac('sha256', Buffer.from(key.replace(/^whsec_/, ''), 'base64')).update(signed).digest();
  return (signature) => signature.length === expected.length && timingSafeEqual(signature, expected);
}

/** Whether the headers of Standard Webhooks have a signature of the secret (`v1`) or of the public key (`v1a`) from the last five minutes. */
export function hasStandardSignature(rawBody: Uint8Array, { id, timestamp, signatures }: StandardHeaders, key: string, nowSeconds: number): boolean {
  if (id === '' || !/^[0-9]{1,12}$/.test(timestamp) || Math.abs(nowSeconds - Number(timestamp)) > toleranceSeconds) return false;
  const version = isPublicKey(key) ? 'v1a,' : 'v1,';
  const isMatch = matches(key, Buffer.concat([Buffer.from(`${id}.${timestamp}.`), rawBody]));
  return signatures.split(' ').some((part) => part.startsWith(version) && isMatch(Buffer.from(part.slice(version.length), 'base64')));
}
