import { createHmac, hkdfSync } from 'node:crypto';
import Keygrip from 'keygrip';
import type { ServiceKeys } from '../config/serviceKeys';
import { deriveKey } from '../domain/secrets/deriveKey';

/**
 * Returns the keys that sign the console's cookies and forms: the first one signs, all of them verify. Each belongs to a platform
 * token and a key of the service: those of the newest token come first, and a token that is taken away ends the sessions it
 * signed. With the keys of an earlier release it is derived from the token alone.
 */
export function signingKeys(platformTokens: readonly string[], keys: ServiceKeys): Keygrip {
  const derived = platformTokens.flatMap((token) => keys.map((key) =>
    key.kind === 'master'
      ? createHmac('sha256', deriveKey(key.key, 'console_session')).update(token).digest()
      : Buffer.from(hkdfSync('sha256', token, '', 'support console', 32))));
  return new Keygrip(derived.map((key) => key.toString('base64url')), 'sha256', 'base64');
}
