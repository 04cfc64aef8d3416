import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasValidSignature } from '../../clients/typescript/src/hasValidSignature';
import { codeBlock } from '../support/documents';
import { verifyWebhook, WebhookVerificationError } from '../../clients/typescript/src';
import { vectors } from '../vectors/webhook-signatures.json';
import { vectors as keyVectors } from '../vectors/webhook-signatures-ed25519.json';

it('the client\'s verifier is, word by word, the one of docs/webhooks.md, which the vectors and real deliveries are held against', () => {
  expect(readFileSync(join(__dirname, '../../clients/typescript/src/hasValidSignature.ts'), 'utf8')).toBe(codeBlock('docs/webhooks.md', 'hasValidSignature.ts'));
});

it.each(vectors)('the client accepts the vector "$name", and no other body', ({ secret, timestamp, body, x_svc_signature: header }) => {
  const verdicts = [body, `${body} `].map((sent) => hasValidSignature(Buffer.from(sent), header, secret, timestamp));
  expect(verdicts).toEqual([true, false]);
});

/** Why the client refuses; `accepted` if it does not. */
function reasonOf(call: () => unknown): unknown {
  try {
    call();
    return 'accepted';
  } catch (error) {
    return error instanceof WebhookVerificationError ? error.reason : error;
  }
}

describe.each(vectors)('the headers of Standard Webhooks of the vector "$name"', ({ secret, timestamp, body, webhook_id, webhook_signature }) => {
  it('are accepted with the secret, in any case and from every kind of headers, and with no other body or time', () => {
    const headers = { 'Webhook-Id': webhook_id, 'Webhook-Timestamp': String(timestamp), 'Webhook-Signature': webhook_signature };
    const accepted = body.includes('"type"') ? 'accepted' : 'body_invalid';
    for (const given of [headers, new Headers(headers), Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value]]))]) {
      expect(reasonOf(() => verifyWebhook(body, given, secret, timestamp))).toBe(accepted);
      expect(reasonOf(() => verifyWebhook(`${body} `, given, secret, timestamp))).toBe('signature_invalid');
      expect(reasonOf(() => verifyWebhook(body, given, secret, timestamp + 301))).toBe('timestamp_invalid');
    }
  });
});

it.each(keyVectors)('a public key verifies the v1a signatures of the vector "$name", and nothing else', ({ public_key, webhook_id, timestamp, body, signatures }) => {
  const headers = { 'webhook-id': webhook_id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') };
  const verify = (sent = body, key = public_key, given = headers, now = timestamp): unknown => reasonOf(() => verifyWebhook(sent, given, key, now));
  const other = `whpk_${'A'.repeat(43)}=`;
  expect(verify()).toBe(body.includes('"type"') ? 'accepted' : 'body_invalid');
  expect([verify(`${body} `), verify(body, other), verify(body, public_key, { ...headers, 'webhook-signature': 'v1a,AAAA v1,AAAA' })]).toEqual(['signature_invalid', 'signature_invalid', 'signature_invalid']);
  expect(verify(body, public_key, headers, timestamp - 301)).toBe('timestamp_invalid');
  expect(reasonOf(() => verifyWebhook(body, 't=1,v1=00', public_key))).toBe('signature_missing');
});
