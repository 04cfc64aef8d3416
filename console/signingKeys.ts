import { hkdfSync } from 'node:crypto';
import Keygrip from 'keygrip';

/** Returns the keys that sign the console's cookies and forms. They are derived from the platform token: another token ends all sessions. */
export function signingKeys(platformToken: string): Keygrip {
  const key = Buffer.from(hkdfSync('sha256', platformToken, '', 'support console', 32)).toString('base64url');
  return new Keygrip([key], 'sha256', 'base64');
}
