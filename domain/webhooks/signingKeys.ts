import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';

const privatePrefix = 'whsk_';
const publicPrefix = 'whpk_';
const seedBytes = 32;

/** PKCS #8 of an Ed25519 key, up to its seed (RFC 8410). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** An Ed25519 key pair in the form of Standard Webhooks. */
export interface SigningKey {
  /** `whsk_` and the base64 of seed and public key; never leaves the service. */
  privateKey: string;
  /** `whpk_` and the base64 of the 32 bytes. */
  publicKey: string;
}

/** Returns a new key pair. */
export function newSigningKey(): SigningKey {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const publicBytes = Buffer.from(x, 'base64url');
  return {
    privateKey: privatePrefix + Buffer.concat([Buffer.from(d, 'base64url'), publicBytes]).toString('base64'),
    publicKey: publicPrefix + publicBytes.toString('base64'),
  };
}

/** Returns the base64 of the Ed25519 signature of a message. */
export function signWithKey(privateKey: string, message: Buffer): string {
  const seed = Buffer.from(privateKey.slice(privatePrefix.length), 'base64').subarray(0, seedBytes);
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' });
  return sign(null, message, key).toString('base64');
}
