import { createHmac, hkdfSync } from 'node:crypto';
import Keygrip from 'keygrip';
import type { ServiceKeys } from '../config/serviceKeys';
import { deriveKey } from '../domain/secrets/deriveKey';

/**
 * Returns the keys that sign the console's cookies and forms: the first one signs, all of them verify. Each belongs to the
 * platform token, too: another token ends all sessions. With the keys of an earlier release it is derived from the token alone.
 */
export function signingKeys(platformToken: string, keys: ServiceKeys): Keygrip {
  const derived = keys.map((key) =>
    key.kind === 'master'
      ? createHmac('sha256', deriveKey(key.key, 'console_session')).update(platformToken).digest()
      : Buffer.from(hkdfSync('sha256', platformToken, '', 'support console', 32)));
  return new Keygrip(derived.map((key) => key.toString('base64url')), 'sha256', 'base64');
}
