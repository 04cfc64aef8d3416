import { MockActivityEnvironment } from '@temporalio/testing';
import { createBacklogActivities, type BacklogActivities } from '../../activities/webhooks/backlog';
import { AttemptConcurrency } from '../../activities/webhooks/attemptConcurrency';
import { createRetryActivities, type RetryActivities } from '../../activities/webhooks/retryDelivery';
import { createLogger } from '../../config/logger';
import { openGenericPlanPool, type GenericPlanPool } from '../../db/genericPlanPool';
import { createWebhookClient, type WebhookClient } from '../../outbound/webhooks/webhookClient';
import { createWorkerMetrics } from '../../worker/metrics';
import { startSender } from '../../worker/sender/sender';
import { circuitOf } from '../support/circuits';
import { deliveriesOf, type StoredDelivery } from '../support/deliveries';
import { eventually } from '../support/eventually';
import { startReceiver, type Receiver } from '../support/receiver';
import { apiFixture } from '../support/apiFixture';
import { seedDelivery } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { seedEvents } from '../support/seed/events';
import { skewClock } from '../support/skewClock';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
/** What a busy machine may take, in ms; far less than the clocks are apart. */
const tolerance = 20 * second;

let receiver: Receiver;
let pool: GenericPlanPool;
let client: WebhookClient;
let endpointId: string;
let seededEvents = 0;
let activities: RetryActivities & BacklogActivities;

beforeAll(async () => {
  receiver = await startReceiver();
  client = createWebhookClient({ trustedHosts: [receiver.host] });
});

const { api, institution, sql } = apiFixture({ settings: () => ({ webhookTrustedHosts: [receiver.host] }) });

beforeAll(() => {
  pool = openGenericPlanPool(api.stack.databaseUrl, 8, () => undefined);
});

beforeEach(async () => {
  receiver.received.length = 0;
  receiver.respond = () => 500;
  endpointId = await seedEndpoint(api, institution, receiver.url, { events: ['nothing'] });
  const parts = { domain: api.api.domain, client, metrics: createWorkerMetrics(), attemptConcurrency: new AttemptConcurrency() };
  activities = { ...createRetryActivities(parts), ...createBacklogActivities(parts) };
});

afterEach(() => jest.useRealTimers());

afterAll(async () => {
  await pool.close();
  await client.close();
  await receiver.close();
});

const fromNow = (ms: number): Date => new Date(Date.now() + ms);
const read = async (id: string) => (await deliveriesOf(api, endpointId)).get(id);
const isNear = (at: Date | null | undefined, ms: number): void => expect(Math.abs((at?.getTime() ?? 0) - ms)).toBeLessThan(tolerance);

/** A delivery of a committed event that has failed once. */
async function failedOnce(fields: Partial<StoredDelivery>): Promise<string> {
  // No two events of an institution have one time.
  const [eventId = ''] = await seedEvents(api, institution, { createdAt: fromNow(-12 * hour + (seededEvents += 1)) });
  return seedDelivery(api, institution, endpointId, {
    eventId, eventCreatedAt: fromNow(-12 * hour), status: 'retrying', retriedBy: 'workflow', attempts: 1, scheduleStep: 1, firstAttemptAt: fromNow(-minute),
    deadlineAt: fromNow(11 * hour), ...fields,
  });
}

/** Runs an activity on a machine whose clock is so far off, `askedAgoMs` after a workflow asked for it, by the time of everybody else. */
async function runSkewed<Result>(skewMs: number, work: (nowMs: number) => Promise<Result>, askedAgoMs = 0): Promise<Result> {
  const askedAtMs = Date.now() - askedAgoMs;
  skewClock(skewMs);
  try {
    return await new MockActivityEnvironment().run(() => work(askedAtMs));
  } finally {
    jest.useRealTimers();
  }
}

/** The endpoint's circuit is open, and its backlog's first run under way. */
const openCircuit = (probeAt: Date): Promise<unknown> =>
  sql("UPDATE webhook_endpoints SET circuit = 'open', circuit_opened_at = $2, probe_at = $3, backlog_open = true, backlog_run = 1 WHERE id = $1", [endpointId, fromNow(-minute), probeAt]);
const openBacklog = (): Promise<unknown> => sql('UPDATE webhook_endpoints SET backlog_open = true, backlog_run = 1 WHERE id = $1', [endpointId]);

describe('on a machine a minute ahead', () => {
  it('a retry is not made before it is due, and nothing is dead before its deadline', async () => {
    const early = await failedOnce({ nextAttemptAt: fromNow(30 * second) });
    const late = await failedOnce({ nextAttemptAt: fromNow(-second), deadlineAt: fromNow(30 * second) });
    const attempt = (deliveryId: string) =>
      runSkewed(minute, (nowMs) => activities.attemptDelivery({ deliveryId, institutionId: institution.id, cycle: 1 }, 'schedule', nowMs, 1));
    expect(await attempt(early)).toMatchObject({ state: 'retrying', attempts: 1 });
    expect(receiver.received).toHaveLength(0);
    expect(await attempt(late)).toMatchObject({ attempts: 2 });
    expect(receiver.received).toHaveLength(1);
  });

  it('a backlog neither attempts what is not due, nor gives up what has time, nor probes early', async () => {
    await openBacklog();
    const early = await failedOnce({ retriedBy: 'backlog', nextAttemptAt: fromNow(30 * second) });
    const late = await failedOnce({ retriedBy: 'backlog', nextAttemptAt: fromNow(40 * second), deadlineAt: fromNow(30 * second) });
    const run = { endpointId, institutionId: institution.id, run: 1 };
    expect(await runSkewed(minute, (nowMs) => activities.workBacklog(run, nowMs))).toMatchObject({ waitsFor: 'retry', retrying: 2 });
    expect([(await read(early))?.status, (await read(late))?.status]).toEqual(['retrying', 'retrying']);
    await openCircuit(fromNow(30 * second));
    expect(await runSkewed(minute, (nowMs) => activities.workBacklog(run, nowMs))).toMatchObject({ waitsFor: 'probe', held: 2 });
    expect(receiver.received).toHaveLength(0);
  });

  it('a retry whose workflow was due 14.5 minutes ago is not taken for lost', async () => {
    const id = await failedOnce({ nextAttemptAt: fromNow(-14.5 * minute) });
    const lost = await failedOnce({ nextAttemptAt: fromNow(-15.5 * minute) });
    skewClock(minute);
    const { domain } = api.api;
    const sender = startSender({ domain, sql: pool.sql, client, logger: createLogger('worker', 'silent'), metrics: createWorkerMetrics(), onOutboxAppended: () => undefined });
    try {
      await eventually('the lost one with its backlog', async () => (await read(lost))?.retriedBy === 'backlog');
    } finally {
      await sender.stop(10_000);
    }
    expect(await read(id)).toMatchObject({ status: 'retrying', retriedBy: 'workflow' });
  });
});

describe('on a machine a minute behind, of which a workflow asked 50 s ago', () => {
  it('a retry that is due is made, and its records show the time of Postgres', async () => {
    const id = await failedOnce({ nextAttemptAt: fromNow(-30 * second), firstAttemptAt: fromNow(-30 * second) });
    await runSkewed(-minute, (nowMs) => activities.attemptDelivery({ deliveryId: id, institutionId: institution.id, cycle: 1 }, 'schedule', nowMs, 1), 50 * second);
    expect(receiver.received).toHaveLength(1);
    const [attempt] = await sql<{ started_at: Date }>('SELECT started_at FROM webhook_attempts WHERE delivery_id = $1 AND number = 2', [id]);
    isNear(attempt?.started_at, Date.now());
    expect((await read(id))?.nextAttemptAt?.getTime()).toBeGreaterThan(Date.now() - tolerance);
  });

  it('a window opens, and a probe is planned, by the time of Postgres', async () => {
    await openCircuit(fromNow(-second));
    const id = await failedOnce({ status: 'held', retriedBy: null, heldAt: fromNow(-minute), attempts: 0, scheduleStep: 0, firstAttemptAt: null, deadlineAt: null, nextAttemptAt: null });
    const plan = await runSkewed(-minute, (nowMs) => activities.workBacklog({ endpointId, institutionId: institution.id, run: 1 }, nowMs), 50 * second);
    expect(receiver.received).toHaveLength(1);
    expect(plan.waitsFor).toBe('probe');
    const delivery = await read(id);
    isNear(delivery?.firstAttemptAt, Date.now());
    isNear(delivery?.deadlineAt, Date.now() + 12 * hour);
    isNear((await circuitOf(api.api.domain.database.sql, endpointId)).probe_at, Date.now() + 5 * second);
  });
});
