import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ivBytes = 12;
const tagBytes = 16;

/** Encrypts with AES-256-GCM: iv, tag and ciphertext. Only the same `associated` data decrypts it. */
export function encryptBytes(key: Buffer, plain: Buffer, associated?: Buffer): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  if (associated !== undefined) cipher.setAAD(associated);
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

/** Decrypts; fails if a byte was changed or the `associated` data differs. */
export function decryptBytes(key: Buffer, encrypted: Buffer, associated?: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, ivBytes), { authTagLength: tagBytes });
  if (associated !== undefined) decipher.setAAD(associated);
  decipher.setAuthTag(encrypted.subarray(ivBytes, ivBytes + tagBytes));
  return Buffer.concat([decipher.update(encrypted.subarray(ivBytes + tagBytes)), decipher.final()]);
}

/** Encrypts a text: base64 of what {@link encryptBytes} returns. */
export const encrypt = (key: Buffer, plain: string, associated?: Buffer): string => encryptBytes(key, Buffer.from(plain, 'utf8'), associated).toString('base64');

/** Decrypts a text; fails if it was changed or the `associated` data differs. */
export const decrypt = (key: Buffer, encrypted: string, associated?: Buffer): string => decryptBytes(key, Buffer.from(encrypted, 'base64'), associated).toString('utf8');
