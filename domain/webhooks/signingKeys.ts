import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';

const privatePrefix = 'whsk_';
const publicPrefix = 'whpk_';
const seedBytes = 32;

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
  const bytes = Buffer.from(privateKey.slice(privatePrefix.length), 'base64');
  const [d, x] = [bytes.subarray(0, seedBytes).toString('base64url'), bytes.subarray(seedBytes).toString('base64url')];
  // A JWK, because Node takes ten times as long to parse a key in DER or PEM.
  const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' });
  return sign(null, message, key).toString('base64');
}
