import { createPublicKey, verify } from 'node:crypto';
import nacl from 'tweetnacl';
import { EndpointEntity } from '../../db/entities/endpoint';
import { eventTypeNames } from '../../domain/events/eventTypes';
import { sampleEvent } from '../../domain/events/sampleEvent';
import { signWebhook } from '../../domain/webhooks/signature';
import { endpointPlace } from '../../domain/webhooks/endpointPlace';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { startReceiver, type Received, type Receiver } from '../support/receiver';

let api: TestApi;
let receiver: Receiver;
let institution: TestInstitution;

beforeAll(async () => {
  receiver = await startReceiver();
  api = await startTestApi({ webhookTrustedHosts: [receiver.host], databasePoolSize: 2 });
});

afterAll(async () => {
  await api.stop();
  await receiver.close();
});

beforeEach(async () => {
  receiver.received.length = 0;
  institution = await api.institution();
});

const call = (method: string, path: string, body?: object) => api.call(method, path, { key: institution.apiKey, ...(body === undefined ? {} : { body }) });
const create = async (body: object = {}) => call('POST', '/webhooks/endpoints', { url: receiver.url, events: ['*'], ...body });
const patch = (id: string, body: object) => call('PATCH', `/webhooks/endpoints/${id}`, body);
const test = (id: string, body?: object) => call('POST', `/webhooks/endpoints/${id}/test`, body);
const stored = (id: string) => api.api.domain.database.manager.findOneByOrFail(EndpointEntity, { id });
const lastReceived = (): Pick<Received, 'headers' | 'body'> => receiver.received.at(-1) ?? { headers: {}, body: '' };

describe('custom headers', () => {
  const headers = { 'X-Api-Key': 'k-7f3a very secret', Authorization: 'Bearer 0123' };

  it('are shown by name alone, are sealed at rest, and are sent with every test', async () => {
    const { status, data } = await create({ headers });
    expect([status, data.header_names]).toEqual([200, ['X-Api-Key', 'Authorization']]);
    const shown = JSON.stringify([data, (await call('GET', `/webhooks/endpoints/${data.id}`)).data, (await call('GET', '/webhooks/endpoints')).data]);
    expect([shown.includes('7f3a'), shown.includes('0123')]).toEqual([false, false]);
    const row = await stored(data.id);
    expect([JSON.stringify(row).includes('7f3a'), JSON.parse(api.api.domain.secrets.open(row.headersSealed ?? '', endpointPlace(row, 'headers_sealed')))]).toEqual([false, headers]);
    await test(data.id);
    expect(lastReceived().headers).toMatchObject({ 'x-api-key': 'k-7f3a very secret', authorization: 'Bearer 0123', 'x-svc-event': 'ping', 'content-type': 'application/json' });
  });

  it('are replaced as a whole, and removed by null or by none; a change of anything else leaves them', async () => {
    const { data } = await create({ headers });
    expect((await patch(data.id, { description: 'Gradebook' })).data.header_names).toEqual(['X-Api-Key', 'Authorization']);
    expect((await patch(data.id, { headers: { 'X-Other': '1' } })).data.header_names).toEqual(['X-Other']);
    await test(data.id);
    expect([lastReceived().headers['x-other'], lastReceived().headers['x-api-key']]).toEqual(['1', undefined]);
    for (const none of [null, {}]) {
      await patch(data.id, { headers });
      expect((await patch(data.id, { headers: none })).data.header_names).toEqual([]);
      expect(await stored(data.id)).toMatchObject({ headersSealed: null, headerNames: [] });
    }
    await test(data.id);
    expect(lastReceived().headers.authorization).toBeUndefined();
  });

  it('do not go to a URL of another origin unless they are sent again, or removed, with it', async () => {
    const { data } = await create({ headers });
    const elsewhere = await startReceiver();
    try {
      const other = new URL(elsewhere.url).origin.replace('127.0.0.1', 'hooks.example.org').replace('http:', 'https:');
      const { status, body } = await patch(data.id, { url: other });
      expect([status, body.error, body.issues]).toEqual([422, 'validation_error', [{ path: 'headers', message: 'headers must be sent again, or null, when url changes its origin' }]]);
      expect((await call('GET', `/webhooks/endpoints/${data.id}`)).data.url).toBe(data.url);
      expect((await patch(data.id, { url: new URL('/elsewhere', receiver.url).href })).data.header_names).toEqual(['X-Api-Key', 'Authorization']);
      expect((await patch(data.id, { url: other, headers: { 'X-Key': '1' } })).data.header_names).toEqual(['X-Key']);
      expect((await patch(data.id, { url: receiver.url, headers: null })).data.header_names).toEqual([]);
      expect((await patch(data.id, { url: other })).status).toBe(200);
    } finally {
      await elsewhere.close();
    }
  });

  it('take a name of 100 characters, a value of 1,000 and ten of them', async () => {
    const ten = Object.fromEntries(Array.from({ length: 10 }, (_, nth) => [`X-Header-${nth}`, '!'.repeat(300)]));
    for (const accepted of [{ ['a'.repeat(100)]: '~'.repeat(1_000) }, { "!#$%&'*+.^_`|~9": 'a b  c' }, ten]) {
      const { status, data } = await create({ headers: accepted });
      expect([status, data.header_names]).toEqual([200, Object.keys(accepted)]);
      expect((await test(data.id)).data.delivered).toBe(true);
      expect(lastReceived().headers).toMatchObject(Object.fromEntries(Object.entries(accepted).map(([name, value]) => [name.toLowerCase(), value])));
    }
  });

  it.each([
    'Host', 'host', 'Content-Type', 'Content-Length', 'content-encoding', 'Connection', 'Transfer-Encoding', 'TE', 'Upgrade', 'Expect', 'User-Agent', 'X-Svc-Signature', 'x-svc-anything',
    'Webhook-Id', 'webhook-signature', 'Proxy-Authorization', 'Keep-Alive', 'Trailer', 'Forwarded', 'X-Forwarded-For', 'x-forwarded-anything', 'Via', 'Accept-Encoding', 'X_Svc_Signature', 'webhook_signature', 'X-Forwarded_For', 'user_agent',
    'a b', 'a:b', 'naïve', 'a\r\nb', 'a'.repeat(101),
  ])('cannot be named %j; the issue names it', async (name) => {
    const { data } = await create();
    for (const { status, body } of [await create({ headers: { 'X-Fine': '1', [name]: 'k-7f3a' } }), await patch(data.id, { headers: { [name]: 'k-7f3a' } })]) {
      expect([status, body.error, body.issues.map(({ path }: { path: string }) => path)]).toEqual([422, 'validation_error', [`headers.${name}`]]);
      expect(JSON.stringify(body)).not.toContain('7f3a');
    }
  });

  it.each([
    ['Host', 'headers.Host is reserved: HTTP or this service sets it itself'],
    ['a b', 'headers.a b is not a header name: at most 100 letters, digits and marks such as - and _, without blanks'],
  ])('named %j is refused with the rule that it breaks', async (name, message) => {
    expect((await create({ headers: { [name]: 'k' } })).body.message).toBe(message);
  });

  it.each([
    ['an empty text', ''],
    ['a line break', 'k-7f3a\r\nX-Injected: 1'],
    ['a tab', 'k-7f3a\tb'],
    ['other characters than ASCII', 'k-7f3aé'],
    ['blanks around it', ' k-7f3a'],
    ['1,001 characters', 'k-7f3a'.padEnd(1_001, 'x')],
    ['a number', 7],
    ['null', null],
  ])('cannot have %s as a value, which the error does not repeat', async (_what, value) => {
    const { status, body } = await create({ headers: { 'X-Key': value } });
    expect([status, body.error, body.issues.map(({ path }: { path: string }) => path)]).toEqual([422, 'validation_error', ['headers.X-Key']]);
    expect(JSON.stringify(body)).not.toContain('7f3a');
  });

  it.each([
    ['more than ten', Object.fromEntries(Array.from({ length: 11 }, (_, nth) => [`X-${nth}`, 'k-7f3a']))],
    ['more than 4 KiB in all', Object.fromEntries(Array.from({ length: 5 }, (_, nth) => [`X-${nth}`, 'k-7f3a'.padEnd(820, 'x')]))],
    ['one name twice, in another case', { 'X-Key': 'k-7f3a', 'x-key': 'k-7f3a' }],
    ['a list', ['k-7f3a']],
  ])('cannot be %s', async (_what, wrong) => {
    const { status, body } = await create({ headers: wrong });
    expect([status, body.error, body.issues.map(({ path }: { path: string }) => path)]).toEqual([422, 'validation_error', ['headers']]);
    expect(JSON.stringify(body)).not.toContain('7f3a');
  });

  it('stand in the audit log with no value', async () => {
    const { data } = await create({ headers });
    await patch(data.id, { headers });
    const rows = JSON.stringify(await api.api.domain.database.sql('SELECT audit_log::text AS whole FROM audit_log WHERE institution_id = $1', [institution.id]));
    expect([rows.includes(data.id), rows.includes('7f3a'), rows.includes('0123')]).toEqual([true, false, false]);
  });
});

describe('the signature scheme', () => {
  const rawKey = (publicKey: string): Buffer => Buffer.from(publicKey.replace(/^whpk_/, ''), 'base64');

  /** Which of the keys verifies each `v1a` signature of the last request, in the order of the header. */
  const verifiedBy = (keys: Record<string, string>): string[] => {
    const { headers, body } = lastReceived();
    const message = Buffer.from(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`);
    return String(headers['webhook-signature']).split(' ').filter((part) => part.startsWith('v1a,')).map((part) => {
      const signature = Buffer.from(part.slice(4), 'base64');
      const [name] = Object.entries(keys).find(([, key]) => {
        const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: rawKey(key).toString('base64url') }, format: 'jwk' });
        const verified = verify(null, message, publicKey, signature);
        expect(nacl.sign.detached.verify(message, signature, rawKey(key))).toBe(verified);
        return verified;
      }) ?? ['none'];
      return name;
    });
  };
  const hmacOfLast = (secrets: string[]) => {
    const { headers, body } = lastReceived();
    return signWebhook({ secrets, eventId: String(headers['webhook-id']), timestampSeconds: Number(headers['webhook-timestamp']), body });
  };

  it('is hmac unless chosen: no key, and no v1a', async () => {
    const { data } = await create();
    expect(data).toMatchObject({ signature_scheme: 'hmac', public_key: null, previous_public_key: null });
    await test(data.id);
    expect(lastReceived().headers).toMatchObject(hmacOfLast([data.secret]));
  });

  it('ed25519 signs by a key of the endpoint in addition to the secret; the public key is shown, the private one sealed', async () => {
    const { data } = await create({ signature_scheme: 'ed25519' });
    expect(data).toMatchObject({ signature_scheme: 'ed25519', public_key: expect.stringMatching(/^whpk_[A-Za-z0-9+/]{43}=$/), previous_public_key: null });
    expect((await call('GET', `/webhooks/endpoints/${data.id}`)).data.public_key).toBe(data.public_key);
    await test(data.id);
    expect(verifiedBy({ current: data.public_key })).toEqual(['current']);
    const { 'x-svc-signature': own, 'webhook-signature': v1 } = hmacOfLast([data.secret]);
    expect(lastReceived().headers['x-svc-signature']).toBe(own);
    expect(String(lastReceived().headers['webhook-signature']).startsWith(`${v1} v1a,`)).toBe(true);
    const row = await stored(data.id);
    expect(row.signingKeySealed).not.toContain('whsk_');
    expect(api.api.domain.secrets.open(row.signingKeySealed ?? '', endpointPlace(row, 'signing_key_sealed'))).toMatch(/^whsk_/);
  });

  it('may be changed: ed25519 again keeps the key, hmac takes it away, and a later one is new', async () => {
    const { data } = await create();
    const first = (await patch(data.id, { signature_scheme: 'ed25519' })).data;
    expect((await patch(data.id, { signature_scheme: 'ed25519' })).data.public_key).toBe(first.public_key);
    expect((await patch(data.id, { signature_scheme: 'hmac' })).data).toMatchObject({ signature_scheme: 'hmac', public_key: null, previous_public_key: null });
    expect(await stored(data.id)).toMatchObject({ signingKeySealed: null, publicKey: null, previousSigningKeySealed: null, previousPublicKey: null });
    await test(data.id);
    expect(verifiedBy({ first: first.public_key })).toEqual([]);
    const second = (await patch(data.id, { signature_scheme: 'ed25519' })).data;
    expect([second.public_key === first.public_key, second.public_key]).toEqual([false, expect.stringMatching(/^whpk_/)]);
  });

  it('rotating the secret rotates the key: in the grace both sign, newest first, and the earlier public key is shown; after it one', async () => {
    const { data } = await create({ signature_scheme: 'ed25519' });
    const rotated = (await call('POST', `/webhooks/endpoints/${data.id}/rotate-secret`, { grace_hours: 1 })).data;
    expect([rotated.previous_public_key, rotated.public_key === data.public_key]).toEqual([data.public_key, false]);
    const keys = { current: rotated.public_key, previous: data.public_key };
    await test(data.id);
    expect(verifiedBy(keys)).toEqual(['current', 'previous']);
    await api.api.domain.database.sql("UPDATE webhook_endpoints SET previous_secret_expires_at = now() - interval '1 second' WHERE id = $1", [data.id]);
    await test(data.id);
    expect(verifiedBy(keys)).toEqual(['current']);
    expect((await call('GET', `/webhooks/endpoints/${data.id}`)).data).toMatchObject({ public_key: rotated.public_key, previous_public_key: null });
  });

  it('a rotation without grace ends the earlier key at once', async () => {
    const { data } = await create({ signature_scheme: 'ed25519' });
    const rotated = (await call('POST', `/webhooks/endpoints/${data.id}/rotate-secret`, { grace_hours: 0 })).data;
    expect(rotated.previous_public_key).toBeNull();
    await test(data.id);
    expect(verifiedBy({ current: rotated.public_key, previous: data.public_key })).toEqual(['current']);
  });

  it('is one of the two', async () => {
    const { status, body } = await create({ signature_scheme: 'rsa' });
    expect([status, body.issues.map(({ path }: { path: string }) => path)]).toEqual([422, ['signature_scheme']]);
  });
});

describe('the test of an endpoint', () => {
  it('sends the sample of each event type, as GET /events/types shows it', async () => {
    const { data } = await create({ events: ['exam.graded'] });
    const { data: types } = await call('GET', '/events/types');
    for (const { type, sample } of types.items) {
      const { data: result } = await test(data.id, { event_type: type });
      expect([type, result.delivered, lastReceived().headers['x-svc-event']]).toEqual([type, true, type]);
      const envelope = JSON.parse(lastReceived().body);
      expect(Object.keys(envelope)).toEqual(Object.keys(sampleEvent('ping')));
      expect(envelope).toMatchObject({ id: lastReceived().headers['webhook-id'], type, institution_id: institution.id });
      expect(envelope.data).toEqual(type === 'ping' ? { endpoint_id: data.id } : sample);
    }
    expect(receiver.received).toHaveLength(eventTypeNames.length);
  });

  it('sends a ping without a body, with an empty one and with its name', async () => {
    const { data } = await create();
    for (const body of [undefined, {}, { event_type: 'ping' }]) await test(data.id, body);
    expect(receiver.received.map(({ headers }) => headers['x-svc-event'])).toEqual(['ping', 'ping', 'ping']);
  });

  it.each([['exam.eaten'], ['exam.*'], ['*'], ['constructor'], [''], [null], [7]])('refuses the event type %j and sends nothing', async (event_type) => {
    const { data } = await create();
    const { status, body } = await test(data.id, { event_type });
    expect([status, body.issues.map(({ path }: { path: string }) => path), receiver.received.length]).toEqual([422, ['event_type'], 0]);
  });
});
