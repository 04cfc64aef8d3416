import { createCipheriv, createHmac, randomBytes } from 'node:crypto';

// The secret box of 0.9.0, as that release had it: what it writes must stay readable. Never change it.

/** The keys of 0.9.0. */
interface Keys090 {
  readonly encryptionKeys: readonly { id: string; key: Buffer }[];
  readonly fingerprintKey: Buffer;
}

/** Seals and signs as 0.9.0 did. */
export interface SecretBox090 {
  seal(plain: string): string;
  fingerprint(purpose: string, value: string): Buffer;
}

/** Returns the secret box of 0.9.0. */
export function createSecretBox090({ encryptionKeys: [current], fingerprintKey }: Keys090): SecretBox090 {
  if (current === undefined) throw new Error('At least one encryption key is required');
  return {
    seal(plain) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', current.key, iv);
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return `${current.id}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')}`;
    },
    fingerprint: (purpose, value) => createHmac('sha256', fingerprintKey).update(`${purpose}\0${value}`).digest(),
  };
}
