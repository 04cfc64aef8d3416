import { EndpointEntity } from '../../db/entities/endpoint';
import { newId } from '../../domain/ids';
import { newWebhookSecret, signWebhook } from '../../domain/webhooks/signature';
import { createStudent as provision } from '../../domain/students/createStudent';
import { transact } from '../../domain/transact';
import { systemCaller, type TestInstitution } from '../support/api';
import { eventually } from '../support/eventually';
import { workflowFixtureForEachTest } from '../support/workflowFixture';

const desk = workflowFixtureForEachTest();

async function endpointOf(institution: TestInstitution, changes: Partial<EndpointEntity> = {}): Promise<{ id: string; secret: string }> {
  const secret = newWebhookSecret();
  const id = newId('we');
  const now = new Date();
  await desk.api.api.domain.database.manager.insert(EndpointEntity, {
    id,
    institutionId: institution.id,
    url: desk.receiver.url,
    events: ['*'],
    status: 'active',
    secretSealed: desk.api.api.domain.secrets.seal(secret),
    consecutiveFailures: 0,
    createdAt: now,
    updatedAt: now,
    ...changes,
  });
  return { id, secret };
}

const deliveriesOf = (institution: TestInstitution) =>
  desk.api.api.domain.database.sql<{ id: string; status: string; attempts: number; event_id: string }>(
    'SELECT id, status, attempts, event_id FROM webhook_deliveries WHERE institution_id = $1 ORDER BY event_created_at',
    [institution.id],
  );

const createStudent = (institution: TestInstitution) => desk.api.call('POST', '/students', { key: institution.apiKey, body: {} });

// Contract: service.purpose.signed-webhooks, webhooks.delivery.signed-json, webhooks.delivery.every-subscribed-endpoint, webhooks.headers.event-type
it('posts every event once to a receiver that answers 200, signed over the very bytes of the event', async () => {
  const endpoint = await endpointOf(desk.institution);
  for (let nth = 0; nth < 5; nth += 1) await createStudent(desk.institution);
  await eventually('ten deliveries', () => desk.receiver.received.length >= 10 || undefined);
  for (const { headers, body } of desk.receiver.received) {
    const timestampSeconds = Number(headers['webhook-timestamp']);
    const eventId = String(headers['webhook-id']);
    expect(headers).toMatchObject(signWebhook({ secrets: [endpoint.secret], eventId, timestampSeconds, body }));
    expect(JSON.parse(body)).toMatchObject({ id: eventId, institution_id: desk.institution.id, type: headers['x-svc-event'] });
  }
  expect(new Set(desk.receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(10);
  const rows = await eventually('all recorded', async () => {
    const found = await deliveriesOf(desk.institution);
    return found.length === 10 && found.every(({ status }) => status === 'delivered') && found;
  });
  expect(rows.every(({ attempts }) => attempts === 1)).toBe(true);
});

// Contract: webhooks.delivery.every-subscribed-endpoint, webhooks.subscriptions.patterns
it('writes deliveries only for endpoints whose subscription matches', async () => {
  await endpointOf(desk.institution, { events: ['license.*'] });
  await createStudent(desk.institution);
  await eventually('one delivery', () => desk.receiver.received.length >= 1 || undefined);
  await eventually('every event fanned out', async () => {
    const [row] = await desk.api.api.domain.database.sql<{ waiting: number }>('SELECT count(*)::int AS waiting FROM event_queue');
    return row?.waiting === 0 || undefined;
  });
  expect(await deliveriesOf(desk.institution)).toHaveLength(1);
  expect(desk.receiver.received.map(({ headers }) => headers['x-svc-event'])).toEqual(['license.generated']);
});

// Contract: webhooks.delivery.at-least-once, webhooks.receiver.dedupes-on-id, webhooks.retries.up-to-12-hours
it('starts a retry workflow after a failed first attempt, which delivers by itself', async () => {
  await endpointOf(desk.institution, { events: ['student.created'] });
  desk.receiver.respond = (_received, nth) => (nth === 1 ? 503 : 200);
  await createStudent(desk.institution);
  const [delivery] = await eventually('retrying', async () => {
    const rows = await deliveriesOf(desk.institution);
    return rows[0]?.status === 'retrying' && rows;
  });
  const { client } = desk.temporal;
  const handle = client.workflow.getHandle(delivery?.id ?? '');
  await eventually('workflow', () => handle.describe().then(() => true, () => undefined));
  await handle.signal('retryNow', {});
  await expect(handle.result()).resolves.toEqual({ outcome: 'delivered', attempts: 2 });
  expect((await deliveriesOf(desk.institution))[0]).toMatchObject({ status: 'delivered', attempts: 2 });
  // A receiver that dedupes on the envelope's id takes both for one.
  expect(desk.receiver.received).toHaveLength(2);
  expect(new Set(desk.receiver.received.map(({ body }) => body)).size).toBe(1);
});

// Contract: institutions.suspended.webhooks-pause, institutions.reapproved.keys-and-webhooks-resume, webhooks.suspended-institution.pause
it('holds deliveries while the institution is suspended and sends them once it is approved again', async () => {
  await endpointOf(desk.institution, { events: ['student.created'] });
  expect((await desk.api.platform('POST', `/institutions/${desk.institution.id}/suspend`)).status).toBe(200);
  const { domain } = desk.api.api;
  for (const name of ['first', 'second']) await transact(domain, systemCaller(desk.institution.id), (tx) => provision(tx, { full_name: name }));
  await eventually('both held', async () => {
    const rows = await deliveriesOf(desk.institution);
    return rows.length === 2 && rows.every(({ status }) => status === 'held');
  });
  expect(desk.receiver.received).toHaveLength(0);
  expect((await desk.api.platform('POST', `/institutions/${desk.institution.id}/approve`)).status).toBe(200);
  await eventually('both delivered', async () => (await deliveriesOf(desk.institution)).every(({ status }) => status === 'delivered'));
  const arrived = desk.receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(arrived)).toEqual(new Set((await deliveriesOf(desk.institution)).map(({ event_id }) => event_id)));
});

// Contract: deliveries.replay.sends-again, deliveries.dead.replayed
it('sends what a commit without events has left, at once and not at the next look', async () => {
  await endpointOf(desk.institution, { events: ['student.created'] });
  await createStudent(desk.institution);
  const [delivery] = await eventually('delivered', async () => {
    const rows = await deliveriesOf(desk.institution);
    return rows[0]?.status === 'delivered' && rows;
  });
  const waits: number[] = [];
  for (let nth = 1; nth <= 5; nth += 1) {
    const started = performance.now();
    expect((await desk.api.call('POST', `/webhooks/deliveries/${delivery?.id ?? ''}/replay`, { key: desk.institution.apiKey, body: {} })).status).toBe(200);
    await eventually('arrival', () => desk.receiver.received.length > nth || undefined);
    waits.push(performance.now() - started);
    await eventually('recorded', async () => (await deliveriesOf(desk.institution))[0]?.status === 'delivered' || undefined);
  }
  expect(Math.min(...waits)).toBeLessThan(200);
});
