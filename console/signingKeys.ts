import { hkdfSync } from 'node:crypto';
import Keygrip from 'keygrip';

/** Returns the keys that sign the console's cookies and forms, derived from the platform tokens: the newest signs, and a token that is taken away ends the sessions it signed. */
export function signingKeys(platformTokens: readonly string[]): Keygrip {
  return new Keygrip(platformTokens.map((token) => Buffer.from(hkdfSync('sha256', token, '', 'support console', 32)).toString('base64url')), 'sha256', 'base64');
}
