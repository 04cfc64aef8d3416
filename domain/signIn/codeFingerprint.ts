import { timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../secrets/secretBox';

/** Returns the text whose fingerprint is stored and compared instead of a code; bound to its row, whose id says which kind of code it is. */
const codeText = (codeId: string, code: string): string => `${codeId}:${code}`;

/** Returns the form in which a code is stored. */
export function codeFingerprint(secrets: Pick<SecretBox, 'fingerprint'>, codeId: string, code: string): Buffer {
  return secrets.fingerprint('sign_in_code', codeText(codeId, code));
}

/** Whether this is the code of a row, which may be stored under an earlier key. Compares in constant time. */
export function isCode(secrets: Pick<SecretBox, 'fingerprints'>, stored: { id: string; code_hmac: Buffer }, code: string): boolean {
  return secrets.fingerprints('sign_in_code', codeText(stored.id, code)).some((fingerprint) => timingSafeEqual(fingerprint, stored.code_hmac));
}
