import { EndpointEntity } from '../../db/entities/endpoint';
import { newId } from '../../domain/ids';
import { newWebhookSecret, signWebhook } from '../../domain/webhooks/signature';
import type { RunningWorker } from '../../activities/start';
import { createStudent as provision } from '../../domain/students/createStudent';
import { transact } from '../../domain/transact';
import { systemCaller, startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { eventually } from '../support/eventually';
import { startReceiver, type Receiver } from '../support/receiver';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';
import { startTestWorker } from '../support/worker';

let receiver: Receiver;
let api: TestApi;
let worker: RunningWorker;

beforeAll(async () => {
  receiver = await startReceiver();
  api = await startTestApi({ webhookTrustedHosts: [receiver.host] });
  worker = await startTestWorker(api.settings);
});

afterAll(async () => {
  await closeTestTemporal();
  await worker.stop();
  await api.stop();
  await receiver.close();
});

beforeEach(() => {
  receiver.received.length = 0;
  receiver.answer = () => 200;
});

async function endpointOf(institution: TestInstitution, changes: Partial<EndpointEntity> = {}): Promise<{ id: string; secret: string }> {
  const secret = newWebhookSecret();
  const id = newId('we');
  const now = new Date();
  await api.api.domain.database.manager.insert(EndpointEntity, {
    id,
    institutionId: institution.id,
    url: receiver.url,
    events: ['*'],
    status: 'active',
    secretSealed: api.api.domain.secrets.seal(secret),
    consecutiveFailures: 0,
    createdAt: now,
    updatedAt: now,
    ...changes,
  });
  return { id, secret };
}

const deliveriesOf = (institution: TestInstitution) =>
  api.api.domain.database.sql<{ id: string; status: string; attempts: number; event_id: string }>(
    'SELECT id, status, attempts, event_id FROM webhook_deliveries WHERE institution_id = $1 ORDER BY event_created_at',
    [institution.id],
  );

const createStudent = (institution: TestInstitution) => api.call('POST', '/students', { key: institution.apiKey, body: {} });

it('posts every event once to a receiver that answers 200, signed over the very bytes of the event', async () => {
  const north = await api.institution();
  const endpoint = await endpointOf(north);
  for (let nth = 0; nth < 5; nth += 1) await createStudent(north);
  await eventually('ten deliveries', () => receiver.received.length >= 10 || undefined);
  for (const { headers, body } of receiver.received) {
    const timestampSeconds = Number(headers['webhook-timestamp']);
    const eventId = String(headers['webhook-id']);
    expect(headers).toMatchObject(signWebhook({ secrets: [endpoint.secret], eventId, timestampSeconds, body }));
    expect(JSON.parse(body)).toMatchObject({ id: eventId, institution_id: north.id, type: headers['x-svc-event'] });
  }
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(10);
  const rows = await eventually('all recorded', async () => {
    const found = await deliveriesOf(north);
    return found.length === 10 && found.every(({ status }) => status === 'delivered') && found;
  });
  expect(rows.every(({ attempts }) => attempts === 1)).toBe(true);
});

it('writes deliveries only for endpoints whose subscription matches', async () => {
  const north = await api.institution();
  await endpointOf(north, { events: ['license.*'] });
  await createStudent(north);
  await eventually('one delivery', () => receiver.received.length >= 1 || undefined);
  await eventually('every event fanned out', async () => {
    const [row] = await api.api.domain.database.sql<{ waiting: number }>('SELECT count(*)::int AS waiting FROM event_queue');
    return row?.waiting === 0 || undefined;
  });
  expect(await deliveriesOf(north)).toHaveLength(1);
  expect(receiver.received.map(({ headers }) => headers['x-svc-event'])).toEqual(['license.generated']);
});

it('starts a retry workflow after a failed first attempt, which delivers by itself', async () => {
  const north = await api.institution();
  await endpointOf(north, { events: ['student.created'] });
  receiver.answer = (_received, nth) => (nth === 1 ? 503 : 200);
  await createStudent(north);
  const [delivery] = await eventually('retrying', async () => {
    const rows = await deliveriesOf(north);
    return rows[0]?.status === 'retrying' && rows;
  });
  const { client } = openTestTemporal(api.settings);
  const handle = client.workflow.getHandle(delivery?.id ?? '');
  await eventually('workflow', () => handle.describe().then(() => true, () => undefined));
  await handle.signal('retryNow', {});
  await expect(handle.result()).resolves.toEqual({ outcome: 'delivered', attempts: 2 });
  expect((await deliveriesOf(north))[0]).toMatchObject({ status: 'delivered', attempts: 2 });
});

it('holds deliveries while the institution is suspended and sends them once it is approved again', async () => {
  const north = await api.institution();
  await endpointOf(north, { events: ['student.created'] });
  expect((await api.platform('POST', `/institutions/${north.id}/suspend`)).status).toBe(200);
  const { domain } = api.api;
  for (const name of ['first', 'second']) await transact(domain, systemCaller(north.id), (tx) => provision(tx, { full_name: name }));
  await eventually('both held', async () => {
    const rows = await deliveriesOf(north);
    return rows.length === 2 && rows.every(({ status }) => status === 'held');
  });
  expect(receiver.received).toHaveLength(0);
  expect((await api.platform('POST', `/institutions/${north.id}/approve`)).status).toBe(200);
  await eventually('both delivered', async () => (await deliveriesOf(north)).every(({ status }) => status === 'delivered'));
  const arrived = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(arrived)).toEqual(new Set((await deliveriesOf(north)).map(({ event_id }) => event_id)));
});

it('sends what a commit without events has left, at once and not at the next look', async () => {
  const north = await api.institution();
  await endpointOf(north, { events: ['student.created'] });
  await createStudent(north);
  const [delivery] = await eventually('delivered', async () => {
    const rows = await deliveriesOf(north);
    return rows[0]?.status === 'delivered' && rows;
  });
  const waits: number[] = [];
  for (let nth = 1; nth <= 5; nth += 1) {
    const started = performance.now();
    expect((await api.call('POST', `/webhooks/deliveries/${delivery?.id ?? ''}/replay`, { key: north.apiKey, body: {} })).status).toBe(200);
    await eventually('arrival', () => receiver.received.length > nth || undefined);
    waits.push(performance.now() - started);
    await eventually('recorded', async () => (await deliveriesOf(north))[0]?.status === 'delivered' || undefined);
  }
  expect(Math.min(...waits)).toBeLessThan(200);
});
