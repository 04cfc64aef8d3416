import { AttemptConcurrency } from '../../activities/webhooks/attemptConcurrency';
import { createRetryActivities } from '../../activities/webhooks/retryDelivery';
import { EndpointEntity } from '../../db/entities/endpoint';
import { newId } from '../../domain/ids';
import { deliveryWorkflowId } from '../../domain/outbox/workflows';
import { deliveryWindowMs, lastAttemptLeadMs, retryWaitsMs } from '../../domain/webhooks/retrySchedule';
import { newWebhookSecret } from '../../domain/webhooks/signature';
import { transact } from '../../domain/transact';
import { endpointPlace } from '../../domain/webhooks/endpointPlace';
import { cancel, retryNow } from '../../workflows/contract';
import type { DeliveryResult } from '../../workflows/webhookDelivery';
import { storedDelivery, updateDelivery } from '../support/deliveries';
import { seedDelivery } from '../support/seed/deliveries';
import { eventually } from '../support/eventually';
import { recordHistory } from '../support/histories';
import { workflowFixture } from '../support/workflowFixture';

const taskQueue = 'retries';

const fixture = workflowFixture({ time: 'skipping', taskQueue, activities: (deps) => createRetryActivities({ ...deps, attemptConcurrency: new AttemptConcurrency() }) });
const { api, institution } = fixture;

beforeEach(() => {
  fixture.receiver.respond = () => 500;
});

interface Seeded {
  id: string;
  endpointId: string;
  startedAt: number;
}

/** A delivery whose first attempt has just failed, at the environment's time. */
async function failedDelivery(cycle = 1): Promise<Seeded> {
  const { database, secrets } = api.api.domain;
  const startedAt = await fixture.environment.currentTimeMs();
  const now = new Date(startedAt);
  const endpointId = newId('we');
  await database.manager.insert(EndpointEntity, {
    id: endpointId,
    institutionId: institution.id,
    url: fixture.receiver.url,
    events: [],
    status: 'active',
    secretSealed: secrets.seal(newWebhookSecret(), endpointPlace({ institutionId: institution.id, id: endpointId }, 'secret_sealed')),
    createdAt: now,
    updatedAt: now,
  });
  await transact(api.api.domain, institution.caller, async (tx) => {
    tx.emit('ping', { endpoint_id: endpointId });
    await Promise.resolve();
  });
  const [event] = await database.sql<{ id: string }>("SELECT id FROM events WHERE type = 'ping' ORDER BY created_at DESC LIMIT 1");
  const id = await seedDelivery(api, institution, endpointId, {
    eventId: event?.id ?? '',
    eventType: 'ping',
    eventCreatedAt: now,
    status: 'retrying',
    cycle,
    attempts: 1,
    scheduleStep: 1,
    responseCode: 500,
    retriedBy: 'workflow',
    firstAttemptAt: now,
    nextAttemptAt: new Date(startedAt + retryWaitsMs[0]),
    deadlineAt: new Date(startedAt + deliveryWindowMs),
    createdAt: now,
  });
  return { id, endpointId, startedAt };
}

const start = ({ id, endpointId }: Seeded, cycle = 1) =>
  fixture.environment.client.workflow.start<(argument: object) => Promise<DeliveryResult>>('webhookDelivery', {
    taskQueue,
    workflowId: deliveryWorkflowId(id, cycle),
    args: [{ deliveryId: id, institutionId: institution.id, endpointId, eventType: 'ping', cycle }],
  });

const row = (id: string) => storedDelivery(api, id);

const attemptTimes = async (id: string): Promise<number[]> => {
  const rows = await api.api.domain.database.sql<{ started_at: Date }>(
    'SELECT started_at FROM webhook_attempts WHERE delivery_id = $1 ORDER BY number',
    [id],
  );
  return rows.map(({ started_at }) => started_at.getTime());
};

it('ends a delivery whose receiver answers with Webhook-Abort: no further attempt, and the endpoint stays active', async () => {
  const delivery = await failedDelivery();
  fixture.receiver.respond = () => ({ status: 422, headers: { 'webhook-abort': 'true' } });
  await expect((await start(delivery)).result()).resolves.toEqual({ outcome: 'dead', attempts: 2 });
  expect(await row(delivery.id)).toMatchObject({ status: 'dead', attempts: 2, responseCode: 422, nextAttemptAt: null });
  const { data } = await api.call('GET', `/webhooks/endpoints/${delivery.endpointId}`, { key: institution.apiKey });
  expect(data).toMatchObject({ status: 'active', disabled_reason: null });
});

// Contract: webhooks.retries.up-to-12-hours, limits.webhooks.retry-12-hours
it('attempts along the schedule within jitter, the last 30 s before the deadline, then says dead', async () => {
  const delivery = await failedDelivery();
  const handle = await start(delivery);
  await expect(handle.result()).resolves.toEqual({ outcome: 'dead', attempts: 12 });
  const times = [delivery.startedAt, ...(await attemptTimes(delivery.id))];
  expect(times).toHaveLength(12);
  retryWaitsMs.slice(1).forEach((wait, index) => {
    const waited = (times[index + 2] ?? 0) - (times[index + 1] ?? 0);
    expect(waited).toBeGreaterThanOrEqual(wait * 0.9 - 1);
    // The attempt itself and the timer's own precision come on top.
    expect(waited).toBeLessThanOrEqual(wait * 1.1 + 2_000);
  });
  const last = delivery.startedAt + deliveryWindowMs - lastAttemptLeadMs;
  expect((times[11] ?? 0) - last).toBeGreaterThanOrEqual(0);
  expect((times[11] ?? 0) - last).toBeLessThanOrEqual(2_000);
  // The 12 hours of the specification, regardless of the schedule's own numbers.
  const hours = ((times[11] ?? 0) - delivery.startedAt) / 3_600_000;
  expect(hours).toBeGreaterThan(11.9);
  expect(hours).toBeLessThanOrEqual(12);
  expect(await row(delivery.id)).toMatchObject({ status: 'dead', attempts: 12, responseCode: 500, nextAttemptAt: null });
  await recordHistory('webhookDelivery.dead', handle);
});

it('delivers at the first attempt that is answered 2xx and says so', async () => {
  const delivery = await failedDelivery();
  fixture.receiver.respond = (_received, nth) => (nth <= 2 ? 500 : 204);
  await expect((await start(delivery)).result()).resolves.toEqual({ outcome: 'delivered', attempts: 4 });
  expect(await row(delivery.id)).toMatchObject({ status: 'delivered', responseCode: 204 });
});

it('attempts at once on retryNow, which neither resets the window nor moves the plan', async () => {
  const delivery = await failedDelivery();
  const handle = await start(delivery);
  await fixture.environment.sleep('20 minutes');
  const before = await row(delivery.id);
  await handle.signal(retryNow, {});
  await fixture.environment.sleep('10 seconds');
  const after = await row(delivery.id);
  expect(after.attempts).toBe(before.attempts + 1);
  expect(after.nextAttemptAt).toEqual(before.nextAttemptAt);
  expect(after.deadlineAt).toEqual(before.deadlineAt);
  expect(after.scheduleStep).toBe(before.scheduleStep);
  await expect(handle.result()).resolves.toMatchObject({ outcome: 'dead', attempts: 13 });
  await recordHistory('webhookDelivery.retryNow', handle);
});

it('continues as a new run when it has become long; what is requested repeatedly is attempted once', async () => {
  const delivery = await failedDelivery();
  const handle = await start(delivery);
  await fixture.environment.sleep('20 minutes');
  const { attempts } = await row(delivery.id);
  const { runId } = await handle.describe();
  // The first of them is for the attempt that follows, all others for one that was made by then.
  await handle.signal(retryNow, { attempts });
  await eventually('the attempt', async () => (await row(delivery.id)).attempts === attempts + 1);
  for (let sent = 0; sent < 4_000; sent += 100) await Promise.all(Array.from({ length: 100 }, () => handle.signal(retryNow, { attempts })));
  await eventually('the next run', async () => (await handle.describe()).runId !== runId);
  expect((await row(delivery.id)).attempts).toBe(attempts + 1);
  await handle.signal(retryNow, { attempts: attempts + 1 });
  await eventually('what is asked of it', async () => (await row(delivery.id)).attempts === attempts + 2);
  fixture.receiver.respond = () => 200;
  await expect(handle.result()).resolves.toMatchObject({ outcome: 'delivered' });
});

it('heeds Retry-After on a 503', async () => {
  const delivery = await failedDelivery();
  fixture.receiver.respond = (_received, nth) => (nth === 1 ? { status: 503, headers: { 'retry-after': '3600' } } : 200);
  await expect((await start(delivery)).result()).resolves.toMatchObject({ outcome: 'delivered' });
  const [first = 0, second = 0] = await attemptTimes(delivery.id);
  expect(second - first).toBeGreaterThanOrEqual(3_600_000);
});

it('reads the truth: a delivery cancelled in Postgres is not attempted again, with or without the signal', async () => {
  const delivery = await failedDelivery();
  const handle = await start(delivery);
  await updateDelivery(api, delivery.id, { status: 'cancelled' });
  await handle.signal(cancel, {});
  await expect(handle.result()).resolves.toEqual({ outcome: 'cancelled', attempts: 1 });
  expect(fixture.receiver.received).toHaveLength(0);
});
