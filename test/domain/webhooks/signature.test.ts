import { createHmac } from 'node:crypto';
import { newWebhookSecret, signWebhook, webhookHeaders } from '../../../domain/webhooks/signature';
import { vectors } from '../../vectors/webhook-signatures.json';

describe('signatures of webhooks', () => {
  // Contract: webhooks.headers.signature
  test.each(vectors)('$name', (vector) => {
    const secrets = [vector.secret, ...('previous_secret' in vector ? [vector.previous_secret] : [])];
    const signed = { secrets, eventId: vector.webhook_id, timestampSeconds: vector.timestamp };
    const expected = {
      'x-svc-signature': vector.x_svc_signature,
      'webhook-id': vector.webhook_id,
      'webhook-timestamp': String(vector.timestamp),
      'webhook-signature': vector.webhook_signature,
    };
    expect(signWebhook({ ...signed, body: vector.body })).toEqual(expected);
    expect(signWebhook({ ...signed, body: Buffer.from(vector.body) })).toEqual(expected);
  });

  // Contract: webhooks.headers.signature
  test('a verifier that takes the header apart by itself agrees', () => {
    const secret = newWebhookSecret();
    const body = '{"id":"evt_1"}';
    const { 'x-svc-signature': header } = signWebhook({ secrets: [secret], eventId: 'evt_1', timestampSeconds: 1_795_166_400, body });
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
    expect(createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')).toBe(v1);
  });

  // Contract: webhooks.secret.only-at-creation-and-rotation
  test('a new secret is whsec_ and the base64 of 32 bytes, never the same', () => {
    const secrets = Array.from({ length: 100 }, newWebhookSecret);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    }
    expect(new Set(secrets).size).toBe(100);
  });

  test('nothing is signed without a secret', () => {
    expect(() => signWebhook({ secrets: [], eventId: 'evt_1', timestampSeconds: 0, body: '{}' })).toThrow(RangeError);
  });

  // Contract: webhooks.headers.content-type, webhooks.headers.user-agent, webhooks.headers.event-type, webhooks.headers.delivery-id
  test('the headers of an attempt are those of the specification', () => {
    const [vector] = vectors;
    if (vector === undefined) throw new Error('There are no vectors');
    const headers = webhookHeaders({
      deliveryId: 'whd_1',
      eventId: vector.webhook_id,
      eventType: 'exam.graded',
      secrets: [vector.secret],
      timestampSeconds: vector.timestamp,
      body: vector.body,
    });
    expect(headers).toEqual({
      'content-type': 'application/json',
      'user-agent': 'Svc-Webhooks/1.0',
      'x-svc-event': 'exam.graded',
      'x-svc-delivery-id': 'whd_1',
      'x-svc-signature': vector.x_svc_signature,
      'webhook-id': vector.webhook_id,
      'webhook-timestamp': String(vector.timestamp),
      'webhook-signature': vector.webhook_signature,
    });
  });
});
