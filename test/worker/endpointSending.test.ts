import nacl from 'tweetnacl';
import { circuitOf, countDeliveriesByState, createStudentsInBulk } from '../support/circuits';
import { deliveriesOf } from '../support/deliveries';
import { eventually } from '../support/eventually';
import { failFirstAttempts } from '../support/receiver';
import { seedEndpoint } from '../support/seed/endpoints';
import { workflowFixture } from '../support/workflowFixture';

const fixture = workflowFixture();
const { api, institution } = fixture;

const call = (method: string, path: string, body?: object) => api.call(method, path, { key: institution.apiKey, ...(body === undefined ? {} : { body }) });
const circuit = (id: string) => circuitOf(api.api.domain.database.sql, id);
const settled = (id: string, states: Record<string, number>) =>
  eventually(JSON.stringify(states), async () => JSON.stringify(await countDeliveriesByState(api.api.domain.database.sql, id)) === JSON.stringify(states));
const deliveryIds = async (id: string): Promise<string[]> => [...(await deliveriesOf(api, id)).keys()];
const attemptLog = async (id = '') => (await call('GET', `/webhooks/deliveries/${id}`)).data.attempt_log;
const seed = (fields = {}) => seedEndpoint(api, institution, fixture.receiver.url, { events: ['student.created'], ...fields });

const abort = { status: 422, headers: { 'webhook-abort': 'true' } };
const aborted = { response_code: 422, error_class: 'http', error: 'The receiver answered 422, and asked for no further attempts (Webhook-Abort)' };

it('each attempt, the first and a retry, has the headers of its endpoint and a signature by its key', async () => {
  fixture.receiver.respond = failFirstAttempts();
  const { data } = await call('POST', '/webhooks/endpoints', { url: fixture.receiver.url, events: ['student.created'], headers: { 'X-Api-Key': 'k-7f3a' }, signature_scheme: 'ed25519' });
  await createStudentsInBulk(api, institution, 1);
  await settled(data.id, { delivered: 1 });
  expect(fixture.receiver.received).toHaveLength(2);
  const publicKey = Buffer.from(data.public_key.slice(5), 'base64');
  for (const { headers, body } of fixture.receiver.received) {
    expect(headers).toMatchObject({ 'x-api-key': 'k-7f3a', 'x-svc-event': 'student.created' });
    const [v1, v1a = ''] = String(headers['webhook-signature']).split(' ');
    expect(v1).toMatch(/^v1,/);
    const message = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
    expect(nacl.sign.detached.verify(Buffer.from(message), Buffer.from(v1a.replace(/^v1a,/, ''), 'base64'), publicKey)).toBe(true);
  }
  const [delivery] = await deliveryIds(data.id);
  expect(JSON.stringify(await call('GET', `/webhooks/deliveries/${delivery ?? ''}`))).not.toContain('7f3a');
});

it('an answer that repeats a header of its endpoint is stored and shown without its value', async () => {
  fixture.receiver.respond = ({ headers }) => ({ status: 200, body: `${JSON.stringify({ key: headers['x-api-key'], team: headers['x-team'] })} ${String(headers['x-api-key']).slice(0, 9)}` });
  const id = (await call('POST', '/webhooks/endpoints', { url: fixture.receiver.url, events: ['student.created'], headers: { 'X-Api-Key': 'k-7f3a"0123', 'X-Team': 'maths' } })).data.id;
  await createStudentsInBulk(api, institution, 1);
  await settled(id, { delivered: 1 });
  const [delivery] = await deliveryIds(id);
  expect(await attemptLog(delivery)).toEqual([expect.objectContaining({ response_body: '{"key":"[header value]","team":"maths"} [header value]' })]);
  expect(await api.api.domain.database.sql('SELECT 1 FROM webhook_attempts WHERE delivery_id = $1 AND response_body LIKE $2', [delivery, '%7f3a%'])).toEqual([]);
});

describe('Webhook-Abort', () => {
  it('ends a delivery at its first attempt; the log says so, others go on, and the endpoint stays active', async () => {
    fixture.receiver.respond = (_received, nth) => (nth === 1 ? abort : 200);
    const id = await seed();
    await createStudentsInBulk(api, institution, 1);
    await settled(id, { dead: 1 });
    const [delivery] = await deliveryIds(id);
    expect(await attemptLog(delivery)).toEqual([expect.objectContaining({ number: 1, ...aborted })]);
    expect((await call('GET', `/webhooks/deliveries/${delivery ?? ''}`)).data).toMatchObject({ status: 'dead', attempts: 1, response_code: 422, next_attempt_at: null });
    await createStudentsInBulk(api, institution, 1);
    await settled(id, { dead: 1, delivered: 1 });
    expect(await circuit(id)).toMatchObject({ status: 'active', disabled_reason: null, circuit: 'closed' });
  });

  it('ends a delivery at a retry by its own workflow', async () => {
    fixture.receiver.respond = (_received, nth) => (nth === 1 ? 500 : abort);
    const id = await seed();
    await createStudentsInBulk(api, institution, 1);
    await settled(id, { dead: 1 });
    const [delivery] = await deliveryIds(id);
    expect((await attemptLog(delivery)).map(({ response_code }: { response_code: number }) => response_code).sort()).toEqual([422, 500]);
    await expect(fixture.temporal.client.workflow.getHandle(delivery ?? '').result()).resolves.toEqual({ outcome: 'dead', attempts: 2 });
  });

  it('ends the delivery that probes an open circuit, and the next one is the next probe', async () => {
    fixture.receiver.respond = () => abort;
    const now = Date.now();
    const id = await seed({ circuit: 'open', circuitOpenedAt: new Date(now), probeAt: new Date(now - 1_000), failingSince: new Date(now), consecutiveFailures: 20 });
    await createStudentsInBulk(api, institution, 1);
    await settled(id, { dead: 1 });
    const [delivery] = await deliveryIds(id);
    expect(await attemptLog(delivery)).toEqual([expect.objectContaining(aborted)]);
    expect(await circuit(id)).toMatchObject({ status: 'active', circuit: 'open' });
    fixture.receiver.respond = () => 200;
    await createStudentsInBulk(api, institution, 1);
    await settled(id, { dead: 1, delivered: 1 });
  });

  it('ends a held delivery that is retried by request', async () => {
    fixture.receiver.respond = () => abort;
    const id = await seed();
    await call('PATCH', `/webhooks/endpoints/${id}`, { status: 'paused' });
    await createStudentsInBulk(api, institution, 1);
    await settled(id, { held: 1 });
    const [delivery] = await deliveryIds(id);
    await api.platform('POST', `/institutions/${institution.id}/deliveries/${delivery ?? ''}/retry-now`);
    await settled(id, { dead: 1 });
    expect(await attemptLog(delivery)).toEqual([expect.objectContaining(aborted)]);
  });
});
