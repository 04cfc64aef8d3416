import { createPublicKey, verify } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import nacl from 'tweetnacl';
import { newWebhookSecret, signWebhook } from '../../../domain/webhooks/signature';
import { newSigningKey } from '../../../domain/webhooks/signingKeys';
import { vectors } from '../../vectors/webhook-signatures-ed25519.json';

const rawKey = (publicKey: string): Buffer => Buffer.from(publicKey.replace(/^whpk_/, ''), 'base64');
const signaturesOf = (header: string): Buffer[] => header.split(' ').flatMap((part) => (part.startsWith('v1a,') ? [Buffer.from(part.slice(4), 'base64')] : []));

/** Verifies in the way of the documents: with node:crypto, from the published form of the key. */
function verifiesInNode(publicKey: string, message: string, signature: Buffer): boolean {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: rawKey(publicKey).toString('base64url') }, format: 'jwk' });
  return verify(null, Buffer.from(message), key, signature);
}

describe('Ed25519 signatures of webhooks', () => {
  test.each(vectors)('$name', (vector) => {
    const { private_key, webhook_id: eventId, timestamp: timestampSeconds, body } = vector;
    const signingKeys = [private_key, ...('previous_private_key' in vector ? [vector.previous_private_key] : [])];
    const input = { secrets: [newWebhookSecret()], eventId, timestampSeconds };
    for (const sent of [body, Buffer.from(body)]) {
      const [v1 = '', ...others] = signWebhook({ ...input, signingKeys, body: sent })['webhook-signature'].split(' ');
      expect([v1.slice(0, 3), others]).toEqual(['v1,', vector.signatures]);
    }
    expect(signWebhook({ ...input, signingKeys, body })).toEqual({ ...signWebhook({ ...input, body }), 'webhook-signature': expect.any(String) });
  });

  test('Node and TweetNaCl verify them by the public key, and with nothing changed', () => {
    const { privateKey, publicKey } = newSigningKey();
    const message = 'evt_1.1795166400.{"note":"Zoë 😀"}';
    const header = signWebhook({ secrets: [newWebhookSecret()], signingKeys: [privateKey], eventId: 'evt_1', timestampSeconds: 1_795_166_400, body: '{"note":"Zoë 😀"}' })['webhook-signature'];
    const [signature = Buffer.alloc(64), ...more] = signaturesOf(header);
    expect(more).toEqual([]);
    for (const [text, key, valid] of [[message, publicKey, true], [`${message} `, publicKey, false], [message, newSigningKey().publicKey, false]] as const) {
      expect([verifiesInNode(key, text, signature), nacl.sign.detached.verify(Buffer.from(text), signature, rawKey(key))]).toEqual([valid, valid]);
    }
  });

  test('the library of Standard Webhooks verifies by the secret what has both kinds of signatures', () => {
    const secret = newWebhookSecret();
    const body = '{"id":"evt_1"}';
    const headers = signWebhook({ secrets: [secret], signingKeys: [newSigningKey().privateKey], eventId: 'evt_1', timestampSeconds: Math.floor(Date.now() / 1_000), body });
    expect(new Webhook(secret).verify(body, headers)).toEqual({ id: 'evt_1' });
  });

  test('a new key pair is whsk_ with seed and public key, and whpk_ with the 32 bytes, never the same', () => {
    const pairs = Array.from({ length: 20 }, newSigningKey);
    for (const { privateKey, publicKey } of pairs) {
      expect(privateKey).toMatch(/^whsk_[A-Za-z0-9+/]{86}==$/);
      expect(publicKey).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/);
      const { publicKey: derived } = nacl.sign.keyPair.fromSeed(Buffer.from(privateKey.slice(5), 'base64').subarray(0, 32));
      expect(`whpk_${Buffer.from(derived).toString('base64')}`).toBe(publicKey);
    }
    expect(new Set(pairs.map(({ publicKey }) => publicKey)).size).toBe(20);
  });
});
