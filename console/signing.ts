import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Signs and compares under keys that are derived from the platform token: another token ends all that was signed. */
export interface Signing {
  /** Compares in constant time, whatever the length, whether this is the platform token. */
  isPlatformToken(sent: string): boolean;
  /** The text with its signature, for one purpose. */
  signValue(purpose: string, text: string): string;
  /** The text of what was sealed for this purpose; undefined for anything else. */
  verifyValue(purpose: string, sealed: string): string | undefined;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

export function createSigning(platformToken: string): Signing {
  const key = Buffer.from(hkdfSync('sha256', platformToken, '', 'support console', 32));
  const sign = (purpose: string, text: string): string => createHmac('sha256', key).update(`${purpose}\n${text}`).digest('base64url');
  return {
    isPlatformToken: (sent) => isSame(sent, platformToken),
    signValue: (purpose, text) => `${Buffer.from(text).toString('base64url')}.${sign(purpose, text)}`,
    verifyValue: (purpose, sealed) => {
      const [encoded = '', signature = ''] = sealed.split('.');
      const text = Buffer.from(encoded, 'base64url').toString();
      return isSame(signature, sign(purpose, text)) ? text : undefined;
    },
  };
}
