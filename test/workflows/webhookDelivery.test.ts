import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { createWorkerMetrics } from '../../activities/metrics';
import { Places } from '../../activities/webhooks/places';
import { createRetryActivities } from '../../activities/webhooks/retryDelivery';
import { DeliveryEntity } from '../../db/entities/delivery';
import { EndpointEntity } from '../../db/entities/endpoint';
import { newId } from '../../domain/ids';
import { deliveryWorkflowId } from '../../domain/owed/workflows';
import { deliveryWindowMs, lastAttemptLeadMs, retryWaitsMs } from '../../domain/webhooks/retrySchedule';
import { newWebhookSecret } from '../../domain/webhooks/signature';
import { transact } from '../../domain/transact';
import { createWebhookClient, type WebhookClient } from '../../outbound/webhooks/webhookClient';
import { cancel, retryNow } from '../../workflows/contract';
import type { DeliveryResult } from '../../workflows/webhookDelivery';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { keepHistory } from '../support/histories';
import { startReceiver, type Receiver } from '../support/receiver';
import { timeSkippingEnvironment } from '../support/stack';

const taskQueue = 'retries';

let environment: TestWorkflowEnvironment;
let api: TestApi;
let receiver: Receiver;
let client: WebhookClient;
let worker: Worker;
let running: Promise<void>;
let north: TestInstitution;

beforeAll(async () => {
  receiver = await startReceiver();
  api = await startTestApi({ webhookTrustedHosts: [receiver.host] });
  client = createWebhookClient({ trustedHosts: [receiver.host] });
  environment = await timeSkippingEnvironment();
  const codePath = process.env.WORKFLOW_BUNDLE_PATH ?? '';
  worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue,
    workflowBundle: { codePath },
    activities: createRetryActivities({ domain: api.api.domain, client, metrics: createWorkerMetrics(), places: new Places() }),
  });
  running = worker.run();
  north = await api.institution();
});

afterAll(async () => {
  worker.shutdown();
  await running;
  await environment.teardown();
  await client.close();
  await api.stop();
  await receiver.close();
});

beforeEach(() => {
  receiver.received.length = 0;
  receiver.answer = () => 500;
});

interface Planted {
  id: string;
  endpointId: string;
  startedAt: number;
}

/** A delivery whose first attempt has just failed, at the environment's time. */
async function failedDelivery(cycle = 1): Promise<Planted> {
  const { database, secrets } = api.api.domain;
  const startedAt = await environment.currentTimeMs();
  const now = new Date(startedAt);
  const endpointId = newId('we');
  const id = newId('whd');
  await database.manager.insert(EndpointEntity, {
    id: endpointId,
    institutionId: north.id,
    url: receiver.url,
    events: [],
    status: 'active',
    secretSealed: secrets.seal(newWebhookSecret()),
    createdAt: now,
    updatedAt: now,
  });
  await transact(api.api.domain, north.caller, async (tx) => {
    tx.emit('ping', { endpoint_id: endpointId });
    await Promise.resolve();
  });
  const [event] = await database.sql<{ id: string }>("SELECT id FROM events WHERE type = 'ping' ORDER BY created_at DESC LIMIT 1");
  await database.manager.insert(DeliveryEntity, {
    id,
    institutionId: north.id,
    endpointId,
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

const start = ({ id, endpointId }: Planted, cycle = 1) =>
  environment.client.workflow.start<(argument: object) => Promise<DeliveryResult>>('webhookDelivery', {
    taskQueue,
    workflowId: deliveryWorkflowId(id, cycle),
    args: [{ deliveryId: id, institutionId: north.id, endpointId, eventType: 'ping', cycle }],
  });

const row = (id: string) => api.api.domain.database.manager.findOneByOrFail(DeliveryEntity, { id });

const attemptTimes = async (id: string): Promise<number[]> => {
  const rows = await api.api.domain.database.sql<{ started_at: Date }>(
    'SELECT started_at FROM webhook_attempts WHERE delivery_id = $1 ORDER BY number',
    [id],
  );
  return rows.map(({ started_at }) => started_at.getTime());
};

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
  expect(await row(delivery.id)).toMatchObject({ status: 'dead', attempts: 12, responseCode: 500, nextAttemptAt: null });
  await keepHistory('webhookDelivery.dead', handle);
}, 60_000);

it('delivers at the first attempt that is answered 2xx and says so', async () => {
  const delivery = await failedDelivery();
  receiver.answer = (_received, nth) => (nth <= 2 ? 500 : 204);
  await expect((await start(delivery)).result()).resolves.toEqual({ outcome: 'delivered', attempts: 4 });
  expect(await row(delivery.id)).toMatchObject({ status: 'delivered', responseCode: 204 });
}, 60_000);

it('attempts at once on retryNow, which neither resets the window nor moves the plan', async () => {
  const delivery = await failedDelivery();
  const handle = await start(delivery);
  await environment.sleep('20 minutes');
  const before = await row(delivery.id);
  await handle.signal(retryNow, {});
  await environment.sleep('10 seconds');
  const after = await row(delivery.id);
  expect(after.attempts).toBe(before.attempts + 1);
  expect(after.nextAttemptAt).toEqual(before.nextAttemptAt);
  expect(after.deadlineAt).toEqual(before.deadlineAt);
  expect(after.scheduleStep).toBe(before.scheduleStep);
  await expect(handle.result()).resolves.toMatchObject({ outcome: 'dead', attempts: 13 });
  await keepHistory('webhookDelivery.retryNow', handle);
}, 60_000);

it('heeds Retry-After on a 503', async () => {
  const delivery = await failedDelivery();
  receiver.answer = (_received, nth) => (nth === 1 ? { status: 503, headers: { 'retry-after': '3600' } } : 200);
  await expect((await start(delivery)).result()).resolves.toMatchObject({ outcome: 'delivered' });
  const [first = 0, second = 0] = await attemptTimes(delivery.id);
  expect(second - first).toBeGreaterThanOrEqual(3_600_000);
}, 60_000);

it('reads the truth: a delivery cancelled in Postgres is not attempted again, with or without the signal', async () => {
  const delivery = await failedDelivery();
  const handle = await start(delivery);
  await api.api.domain.database.manager.update(DeliveryEntity, { id: delivery.id }, { status: 'cancelled' });
  await handle.signal(cancel, {});
  await expect(handle.result()).resolves.toEqual({ outcome: 'cancelled', attempts: 1 });
  expect(receiver.received).toHaveLength(0);
}, 60_000);
