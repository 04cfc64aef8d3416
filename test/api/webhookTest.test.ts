import { createLogger } from '../../config/logger';
import type { EndpointEntity } from '../../db/entities/endpoint';
import { signWebhook } from '../../domain/webhooks/signature';
import { openOutbound } from '../../outbound/openOutbound';
import { createWebhookClient, exchangeTimeoutMs, type WebhookClient } from '../../outbound/webhooks/webhookClient';
import { startNameServer, type NameServer } from '../outbound/webhooks/nameServer';
import { freePort } from '../outbound/webhooks/receivers';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { openSandboxOf } from '../support/sandboxes';
import { seedEndpoint } from '../support/seed/endpoints';
import { eventually } from '../support/eventually';
import { startReceiver, type Receiver } from '../support/receiver';

let api: TestApi;
let receiver: Receiver;
let refusedPort: number;
let institution: TestInstitution;

beforeAll(async () => {
  receiver = await startReceiver();
  refusedPort = await freePort();
  api = await startTestApi({ webhookTrustedHosts: [receiver.host, `127.0.0.1:${refusedPort}`], databasePoolSize: 2 });
});

afterAll(async () => {
  await api.stop();
  await receiver.close();
});

beforeEach(async () => {
  receiver.received.length = 0;
  receiver.respond = () => 200;
  institution = await api.institution();
});

const sql = <Row extends object>(text: string, values: unknown[]) => api.api.domain.database.sql<Row>(text, values);
const ping = (id: string, key = institution.apiKey) => api.call('POST', `/webhooks/endpoints/${id}/test`, { key });
const seed = (url = receiver.url, fields: Partial<EndpointEntity> = {}) => seedEndpoint(api, institution, url, fields);
const create = async () => (await api.call('POST', '/webhooks/endpoints', { key: institution.apiKey, body: { url: receiver.url, events: ['*'] } })).data;

describe('testing an endpoint', () => {
  it('signs the test of a sandbox by the real time also when its clock is ahead, as it signs deliveries', async () => {
    const sandbox = await openSandboxOf(api, institution);
    const { data: endpoint } = await sandbox.call('POST', '/webhooks/endpoints', { url: receiver.url, events: ['*'] });
    await sandbox.advance(37 * 3_600);
    expect((await sandbox.call('POST', `/webhooks/endpoints/${endpoint.id}/test`)).data.delivered).toBe(true);
    const [sent] = receiver.received;
    expect(Math.abs(Number(sent?.headers['webhook-timestamp']) - Date.now() / 1_000)).toBeLessThan(60);
    expect(Date.parse(JSON.parse(sent?.body ?? '{}').created_at)).toBeGreaterThan(Date.now() + 36 * 3_600_000);
  });

  // Contract: deliveries.fields.id, events.fields.id, webhooks.test.code-and-latency, webhooks.delivery.signed-json, webhooks.headers.content-type
  // Contract: webhooks.headers.user-agent, webhooks.headers.event-type, webhooks.headers.delivery-id, webhooks.headers.signature
  // Contract: webhooks.envelope.id-and-type, webhooks.envelope.created-at, webhooks.envelope.institution-and-data, webhooks.test.ping-synchronous
  // Contract: events.ping
  it('posts a signed ping in the form of every event and returns the receiver’s response', async () => {
    const { id, secret } = await create();
    const { status, data } = await ping(id);
    expect([status, data]).toEqual([200, { delivered: true, response_code: 200, latency_ms: expect.any(Number), error: null, response_body: 'seen' }]);
    const [sent, ...more] = receiver.received;
    if (sent === undefined) throw new Error('Nothing was sent');
    const { headers, body } = sent;
    const envelope = JSON.parse(body);
    expect(more).toEqual([]);
    expect(envelope).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-z]{26}$/),
      type: 'ping',
      created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      institution_id: institution.id,
      data: { endpoint_id: id },
    });
    const timestampSeconds = Number(headers['webhook-timestamp']);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Svc-Webhooks/1.0',
      'x-svc-event': 'ping',
      'x-svc-delivery-id': expect.stringMatching(/^whd_[0-9a-z]{26}$/),
      ...signWebhook({ secrets: [secret], eventId: envelope.id, timestampSeconds, body }),
    });
    expect(Math.abs(timestampSeconds - Date.now() / 1_000)).toBeLessThan(10);
    expect(Date.parse(envelope.created_at) / 1_000 - timestampSeconds).toBeLessThan(1);
  });

  it('carries the bytes and the order of fields of an event that is stored', async () => {
    const id = await seed();
    await ping(id);
    const body = receiver.received[0]?.body ?? '';
    expect(body).toBe(JSON.stringify(JSON.parse(body)));
    const fields = ['id', 'type', 'created_at', 'institution_id', 'data'];
    await api.call('POST', '/students', { key: institution.apiKey, body: {} });
    const [stored] = await sql<{ body: string }>('SELECT body FROM events WHERE institution_id = $1 LIMIT 1', [institution.id]);
    expect([Object.keys(JSON.parse(body)), Object.keys(JSON.parse(stored?.body ?? '{}'))]).toEqual([fields, fields]);
  });

  it('has fresh ids every time', async () => {
    const id = await seed();
    for (let n = 0; n < 3; n += 1) await ping(id);
    for (const header of ['webhook-id', 'x-svc-delivery-id']) expect(new Set(receiver.received.map(({ headers }) => headers[header])).size).toBe(3);
  });

  // Contract: webhooks.rotate-secret.grace-hours
  it('within the grace of a rotation carries both signatures, newest first, and after it one', async () => {
    const { id, secret: old } = await create();
    const { data } = await api.call('POST', `/webhooks/endpoints/${id}/rotate-secret`, { key: institution.apiKey, body: { grace_hours: 1 } });
    await ping(id);
    await sql("UPDATE webhook_endpoints SET previous_secret_expires_at = now() - interval '1 second' WHERE id = $1", [id]);
    await ping(id);
    const expected = [[data.secret, old], [data.secret]].map((secrets, nth) => {
      const { headers = {}, body = '' } = receiver.received[nth] ?? {};
      return signWebhook({ secrets, eventId: String(headers['webhook-id']), timestampSeconds: Number(headers['webhook-timestamp']), body });
    });
    expect(receiver.received.map(({ headers }) => headers['x-svc-signature'])).toEqual(expected.map((headers) => headers['x-svc-signature']));
    expect(receiver.received.map(({ headers }) => headers['webhook-signature'])).toEqual(expected.map((headers) => headers['webhook-signature']));
  });

  it('returns the response of a receiver that refuses it, with the reason that the receiver gives', async () => {
    const reason = '{"error":"signature_invalid","message":"The signature does not match."}';
    receiver.respond = () => ({ status: 401, body: reason });
    expect((await ping(await seed())).data).toMatchObject({ delivered: false, response_code: 401, error: 'The receiver answered 401', response_body: reason });
  });

  it('returns the first 4 KiB of a longer response, null for none, and never the value of a header of the endpoint', async () => {
    const { data: endpoint } = await api.call('POST', '/webhooks/endpoints', {
      key: institution.apiKey,
      body: { url: receiver.url, events: ['*'], headers: { 'X-Api-Key': 'key-of-the-receiver' } },
    });
    const bodies = ['x'.repeat(5_000), '', 'unknown key: key-of-the-receiver'];
    receiver.respond = (_received, nth) => ({ status: 403, body: bodies[nth - 1] ?? '' });
    const shown = [];
    for (const _body of bodies) shown.push((await ping(endpoint.id)).data.response_body);
    expect(shown).toEqual(['x'.repeat(4_096), null, 'unknown key: [header value]']);
  });

  it('follows no redirect', async () => {
    receiver.respond = () => ({ status: 307, headers: { location: receiver.url } });
    const { data } = await ping(await seed());
    expect(data).toMatchObject({ delivered: false, response_code: 307, error: 'The receiver redirected (307), which is not followed' });
    expect(receiver.received).toHaveLength(1);
  });

  it('reports a port that refuses connections', async () => {
    const { data } = await ping(await seed(`http://127.0.0.1:${refusedPort}/`));
    expect(data).toMatchObject({ delivered: false, response_code: null, error: 'The connection was refused' });
  });

  // Contract: webhooks.receiver.2xx-within-10-seconds, limits.webhooks.response-10-seconds
  it('gives a receiver that never answers 10 seconds, holds no database connection meanwhile, and lets two tests of an endpoint wait at most', async () => {
    // The client that the API opens, and every process: it has 10 seconds.
    const outbound = await openOutbound(api.settings, createLogger('api', 'silent'));
    expect([exchangeTimeoutMs, outbound.client.timeoutMs]).toEqual([10_000, 10_000]);
    expect(outbound.domain.postWebhook).toBe(outbound.client.post);
    await outbound.close(0);
    const { postWebhook } = api.api.domain;
    // The same client, but for its time.
    const timeoutMs = 1_500;
    const hasty = createWebhookClient({ trustedHosts: api.settings.webhookTrustedHosts, timeoutMs });
    Object.assign(api.api.domain, { postWebhook: hasty.post });
    receiver.respond = () => new Promise(() => undefined);
    const [id, other] = [await seed(), await seed()];
    const waiting = Promise.all([id, id, other, other].map((endpointId) => ping(endpointId)));
    await eventually('four of them wait', () => receiver.received.length === 4);
    expect((await api.call('GET', `/webhooks/endpoints/${id}`, { key: institution.apiKey })).status).toBe(200);
    const third = await ping(id);
    expect([third.status, third.body.error]).toEqual([409, 'conflict']);
    for (const { data } of await waiting) {
      expect(data).toMatchObject({ delivered: false, response_code: null, error: 'There was no answer within 1.5 s' });
      expect(data.latency_ms).toBeGreaterThanOrEqual(timeoutMs - 10);
      expect(data.latency_ms).toBeLessThan(timeoutMs + 2_000);
    }
    Object.assign(api.api.domain, { postWebhook });
    await hasty.close();
  });

  it('writes neither event nor delivery, and is counted in no health of the endpoint', async () => {
    const id = await seed(receiver.url, { events: ['*'] });
    const state = async () => ({
      endpoint: await sql('SELECT * FROM webhook_endpoints WHERE id = $1', [id]),
      events: await sql('SELECT id FROM events WHERE institution_id = $1', [institution.id]),
      queue: await sql('SELECT event_id FROM event_queue WHERE institution_id = $1', [institution.id]),
      deliveries: await sql('SELECT id FROM deliveries WHERE institution_id = $1', [institution.id]),
    });
    const before = await state();
    await ping(id);
    receiver.respond = () => 500;
    await ping(id);
    expect(receiver.received).toHaveLength(2);
    expect(await state()).toEqual(before);
  });

  // Contract: errors.409.endpoint-inactive
  it.each([
    ['paused', { status: 'paused' as const, pausedAt: new Date() }],
    ['disabled', { status: 'disabled' as const }],
  ])('that is %s is endpoint_inactive, and nothing is sent', async (_what, fields) => {
    const { status, body } = await ping(await seed(receiver.url, fields));
    expect([status, body.error, receiver.received.length]).toEqual([409, 'endpoint_inactive', 0]);
  });

  it('that is deleted, of another institution or unknown is not_found, and nothing is sent', async () => {
    const foreign = await seedEndpoint(api, await api.institution(), receiver.url);
    for (const id of [await seed(receiver.url, { deletedAt: new Date() }), foreign, 'we_none']) {
      const { status, body } = await ping(id);
      expect([status, body.error]).toEqual([404, 'not_found']);
    }
    expect(receiver.received).toEqual([]);
  });

  it('wants the scope webhooks:write', async () => {
    const { status, body } = await ping(await seed(), await api.keyFor(institution, ['webhooks:read']));
    expect([status, body.missing, receiver.received.length]).toEqual([403, ['webhooks:write'], 0]);
  });
});

describe('an endpoint that was saved when its host was public', () => {
  let names: NameServer;
  let client: WebhookClient;
  const zone: Record<string, readonly string[]> = { 'moved.example.org': ['127.0.0.1'] };

  beforeAll(async () => {
    names = await startNameServer((name) => zone[name] ?? []);
    // The names of these tests exist on their own name server alone.
    client = createWebhookClient({ trustedHosts: [], resolver: names.resolver });
    Object.assign(api.api.domain, { postWebhook: client.post });
  });

  afterAll(async () => {
    await client.close();
    await names.close();
  });

  const port = () => new URL(receiver.url).port;

  it.each([
    ['now resolves to a private address', 'moved.example.org', 'The host is, or resolves to, an address that is not public'],
    ['no longer exists', 'gone.example.org', 'The name of the host does not exist'],
    ['counts as private by now', '127.0.0.1', 'The host of url must be public'],
  ])('and %s is not connected to', async (_what, host, error) => {
    const { status, data } = await ping(await seed(`https://${host}:${port()}/hook`));
    expect([status, data]).toEqual([200, { delivered: false, response_code: null, latency_ms: expect.any(Number), error, response_body: null }]);
    expect(receiver.received).toEqual([]);
  });
});
