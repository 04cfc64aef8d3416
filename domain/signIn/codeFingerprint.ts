import type { SecretBox } from '../secrets/secretBox';

/** Returns the form in which a code is stored and compared; bound to its row, whose id says which kind of code it is. */
export function codeFingerprint(secrets: Pick<SecretBox, 'fingerprint'>, codeId: string, code: string): Buffer {
  return secrets.fingerprint('sign_in_code', `${codeId}:${code}`);
}
