import { EndpointEntity } from '../../db/entities/endpoint';
import { newId } from '../../domain/ids';
import { newWebhookSecret, signWebhook } from '../../domain/webhooks/signature';
import { createStudent as provision } from '../../domain/students/createStudent';
import { transact } from '../../domain/transact';
import { endpointPlace } from '../../domain/webhooks/endpointPlace';
import { systemCaller, type TestInstitution } from '../support/api';
import { eventually } from '../support/eventually';
import { workflowFixture } from '../support/workflowFixture';

const fixture = workflowFixture();
const { api } = fixture;

async function endpointOf(institution: TestInstitution, changes: Partial<EndpointEntity> = {}): Promise<{ id: string; secret: string }> {
  const secret = newWebhookSecret();
  const id = newId('we');
  const now = new Date();
  await api.api.domain.database.manager.insert(EndpointEntity, {
    id,
    institutionId: institution.id,
    url: fixture.receiver.url,
    events: ['*'],
    status: 'active',
    secretSealed: api.api.domain.secrets.seal(secret, endpointPlace({ institutionId: institution.id, id }, 'secret_sealed')),
    consecutiveFailures: 0,
    createdAt: now,
    updatedAt: now,
    ...changes,
  });
  return { id, secret };
}

const deliveriesOf = (institution: TestInstitution) =>
  api.api.domain.database.sql<{ id: string; status: string; attempts: number; event_id: string }>(
    'SELECT id, status, attempts, event_id FROM deliveries WHERE institution_id = $1 ORDER BY event_created_at',
    [institution.id],
  );

const createStudent = (institution: TestInstitution) => api.call('POST', '/students', { key: institution.apiKey, body: {} });

// Contract: service.purpose.signed-webhooks, webhooks.delivery.signed-json, webhooks.delivery.every-subscribed-endpoint, webhooks.headers.event-type
it('posts every event once to a receiver that answers 200, signed over the very bytes of the event', async () => {
  const endpoint = await endpointOf(fixture.institution);
  for (let nth = 0; nth < 5; nth += 1) await createStudent(fixture.institution);
  await eventually('ten deliveries', () => fixture.receiver.received.length >= 10 || undefined);
  for (const { headers, body } of fixture.receiver.received) {
    const timestampSeconds = Number(headers['webhook-timestamp']);
    const eventId = String(headers['webhook-id']);
    expect(headers).toMatchObject(signWebhook({ secrets: [endpoint.secret], eventId, timestampSeconds, body }));
    expect(JSON.parse(body)).toMatchObject({ id: eventId, institution_id: fixture.institution.id, type: headers['x-svc-event'] });
  }
  expect(new Set(fixture.receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(10);
  const rows = await eventually('all recorded', async () => {
    const found = await deliveriesOf(fixture.institution);
    return found.length === 10 && found.every(({ status }) => status === 'delivered') && found;
  });
  expect(rows.every(({ attempts }) => attempts === 1)).toBe(true);
});

// Contract: webhooks.delivery.every-subscribed-endpoint, webhooks.subscriptions.patterns
it('writes deliveries only for endpoints whose subscription matches', async () => {
  await endpointOf(fixture.institution, { events: ['license.*'] });
  await createStudent(fixture.institution);
  await eventually('one delivery', () => fixture.receiver.received.length >= 1 || undefined);
  await eventually('every event fanned out', async () => {
    const [row] = await api.api.domain.database.sql<{ waiting: number }>('SELECT count(*)::int AS waiting FROM event_queue');
    return row?.waiting === 0 || undefined;
  });
  expect(await deliveriesOf(fixture.institution)).toHaveLength(1);
  expect(fixture.receiver.received.map(({ headers }) => headers['x-svc-event'])).toEqual(['license.generated']);
});

// Contract: webhooks.delivery.at-least-once, webhooks.receiver.dedupes-on-id, webhooks.retries.up-to-12-hours
it('starts a retry workflow after a failed first attempt, which delivers by itself', async () => {
  await endpointOf(fixture.institution, { events: ['student.created'] });
  fixture.receiver.respond = (_received, nth) => (nth === 1 ? 503 : 200);
  await createStudent(fixture.institution);
  const [delivery] = await eventually('retrying', async () => {
    const rows = await deliveriesOf(fixture.institution);
    return rows[0]?.status === 'retrying' && rows;
  });
  const { client } = fixture.temporal;
  const handle = client.workflow.getHandle(delivery?.id ?? '');
  await eventually('workflow', () => handle.describe().then(() => true, () => undefined));
  await handle.signal('retryNow', {});
  await expect(handle.result()).resolves.toEqual({ outcome: 'delivered', attempts: 2 });
  expect((await deliveriesOf(fixture.institution))[0]).toMatchObject({ status: 'delivered', attempts: 2 });
  // A receiver that dedupes on the envelope's id takes both for one.
  expect(fixture.receiver.received).toHaveLength(2);
  expect(new Set(fixture.receiver.received.map(({ body }) => body)).size).toBe(1);
});

// Contract: institutions.suspended.webhooks-pause, institutions.reapproved.keys-and-webhooks-resume, webhooks.suspended-institution.pause
it('holds deliveries while the institution is suspended and sends them once it is approved again', async () => {
  await endpointOf(fixture.institution, { events: ['student.created'] });
  expect((await api.platform('POST', `/institutions/${fixture.institution.id}/suspend`)).status).toBe(200);
  const { domain } = api.api;
  for (const name of ['first', 'second']) await transact(domain, systemCaller(fixture.institution.id), (tx) => provision(tx, { full_name: name }));
  await eventually('both held', async () => {
    const rows = await deliveriesOf(fixture.institution);
    return rows.length === 2 && rows.every(({ status }) => status === 'held');
  });
  expect(fixture.receiver.received).toHaveLength(0);
  expect((await api.platform('POST', `/institutions/${fixture.institution.id}/approve`)).status).toBe(200);
  await eventually('both delivered', async () => (await deliveriesOf(fixture.institution)).every(({ status }) => status === 'delivered'));
  const arrived = fixture.receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(arrived)).toEqual(new Set((await deliveriesOf(fixture.institution)).map(({ event_id }) => event_id)));
});

// Contract: deliveries.replay.sends-again, deliveries.dead.replayed
it('sends what a commit without events has left, at once and not at the next look', async () => {
  await endpointOf(fixture.institution, { events: ['student.created'] });
  await createStudent(fixture.institution);
  const [delivery] = await eventually('delivered', async () => {
    const rows = await deliveriesOf(fixture.institution);
    return rows[0]?.status === 'delivered' && rows;
  });
  const waits: number[] = [];
  for (let nth = 1; nth <= 12; nth += 1) {
    const started = performance.now();
    expect((await api.call('POST', `/webhooks/deliveries/${delivery?.id ?? ''}/replay`, { key: fixture.institution.apiKey, body: {} })).status).toBe(200);
    await eventually('arrival', () => fixture.receiver.received.length > nth || undefined);
    waits.push(performance.now() - started);
    await eventually('recorded', async () => (await deliveriesOf(fixture.institution))[0]?.status === 'delivered' || undefined);
  }
  // A look comes every 500 ms: without the wake-up two in five waits are as short as this.
  expect(waits.filter((ms) => ms < 200).length).toBeGreaterThanOrEqual(9);
});
