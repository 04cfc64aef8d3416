import { createHmac, hkdfSync } from 'node:crypto';
import Keygrip from 'keygrip';
import type { ServiceKeys } from '../config/serviceKeys';
import { deriveKey } from '../domain/secrets/deriveKey';

/** Returns the keys of {@link signingKeys}, the one that signs first. */
function deriveSigningKeys(platformTokens: readonly string[], keys: ServiceKeys): string[] {
  return platformTokens.flatMap((token) => keys.map((key) => (
    key.kind === 'master'
      ? createHmac('sha256', deriveKey(key.key, 'console_session')).update(token).digest()
      : Buffer.from(hkdfSync('sha256', token, '', 'support console', 32))
  ).toString('base64url')));
}

const toKeygrip = (keys: string[]): Keygrip => new Keygrip(keys, 'sha256', 'base64');

/**
 * Returns the keys that sign the console's cookies and forms: the first one signs, all of them verify. Each belongs to a platform
 * token and a key of the service: those of the newest token come first, and a token that is taken away ends the sessions it
 * signed. With the keys of an earlier release it is derived from the token alone.
 */
export const signingKeys = (platformTokens: readonly string[], keys: ServiceKeys): Keygrip => toKeygrip(deriveSigningKeys(platformTokens, keys));

/** Returns each of these keys alone, the one that signs first: what one of them has signed can be signed by it again. */
export const eachSigningKey = (platformTokens: readonly string[], keys: ServiceKeys): Keygrip[] => deriveSigningKeys(platformTokens, keys).map((key) => toKeygrip([key]));
