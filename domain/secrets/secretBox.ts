import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { EncryptionKey } from '../../config/settings';

/** Encrypts secrets at rest (webhook secrets, hidden-test keys, personal emails) and compares them without decrypting. */
export interface SecretBox {
  /** Encrypts with AES-256-GCM under the current key: `<key id>.<base64 of iv, tag, ciphertext>`. */
  seal(plain: string): string;
  /** Decrypts with any configured key; fails if the key is missing or the text was changed. */
  open(sealed: string): string;
  /** Returns a keyed HMAC-SHA256: equal for equal values of one purpose, useless without the key. */
  fingerprint(purpose: 'personal_email' | 'sign_in_code' | 'sign_in_request' | 'file_url' | 'guardian_invitation' | 'developer_invitation' | 'list_cursor', value: string): Buffer;
}

const ivBytes = 12;
const tagBytes = 16;

/** Returns a secret box; the first key encrypts, all keys decrypt. `fingerprintKey` must never change while rows use it. */
export function createSecretBox(keys: readonly EncryptionKey[], fingerprintKey: Buffer): SecretBox {
  const [current] = keys;
  if (current === undefined) throw new Error('At least one encryption key is required');
  const byId = new Map(keys.map(({ id, key }) => [id, key]));
  return {
    seal(plain) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', current.key, iv);
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return `${current.id}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')}`;
    },
    open(sealed) {
      const dot = sealed.indexOf('.');
      const key = byId.get(sealed.slice(0, dot));
      if (key === undefined) throw new Error('No configured encryption key decrypts this value');
      const bytes = Buffer.from(sealed.slice(dot + 1), 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes));
      decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8');
    },
    fingerprint: (purpose, value) => createHmac('sha256', fingerprintKey).update(`${purpose}\0${value}`).digest(),
  };
}
