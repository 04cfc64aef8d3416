import { Registry } from 'prom-client';
import { addInstitutionGauges, addWaitingGauges, gaugesEveryMs } from '../../worker/gauges';
import type { RunningWorker } from '../../worker/start';
import { createWorkerMetrics } from '../../worker/metrics';
import { createLogger } from '../../config/logger';
import { addPoolGauges } from '../../config/poolGauges';
import { openDatabase } from '../../db/database';
import type { EndpointEntity } from '../../db/entities/endpoint';
import type { RecordedAttempt } from '../../db/repositories/webhooks/attempts';
import { readBusiestInstitutions } from '../../db/repositories/metrics/busiestInstitutions';
import { readDatabaseUse } from '../../db/repositories/metrics/databaseUse';
import { readWaitingWork } from '../../db/repositories/metrics/gauges';
import { seedDelivery } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { seedEvents } from '../support/seed/events';
import { eventually } from '../support/eventually';
import { readMetrics, type Metrics } from '../support/metrics';
import { apiFixture } from '../support/apiFixture';
import { startTcpProxy, type TcpProxy } from '../support/tcpProxy';
import { startTestWorker } from '../support/worker';

const now = new Date();
const secondsAgo = (seconds: number): Date => new Date(now.getTime() - seconds * 1_000);

const { api, institution, sql } = apiFixture();

beforeEach(async () => {
  for (const table of ['event_queue', 'owed_workflows', 'open_deliveries', 'sign_in_emails']) await sql(`DELETE FROM ${table}`);
  await sql("UPDATE webhook_endpoints SET circuit = 'closed', circuit_opened_at = NULL, probe_at = NULL");
  await sql('DELETE FROM event_queue');
});

const read = () => readWaitingWork(api.api.domain.database.sql, now);
const endpoint = (fields: Partial<EndpointEntity> = {}) => seedEndpoint(api, institution, 'https://receiver.example/', fields);
const appendOutboxRow = (createdAt: Date) =>
  sql("INSERT INTO owed_workflows (kind, name, workflow_id, argument, created_at, try_after) VALUES ('start', 'x', 'x', '{}', $1, 'infinity')", [createdAt]);

it('what is used of Postgres is read by the role of the service: bytes, connections and their limit, the age of transaction ids', async () => {
  const use = await readDatabaseUse(api.api.domain.database.sql);
  const [{ bytes, most } = { bytes: 0, most: 0 }] = await sql<{ bytes: number; most: number }>("SELECT pg_relation_size('users')::int AS bytes, current_setting('max_connections')::int AS most");
  expect(use.bytes).toBeGreaterThan(bytes);
  expect(use.connections).toBeGreaterThan(0);
  expect(use.connections).toBeLessThanOrEqual(most);
  expect(use.maxConnections).toBeGreaterThan(most / 2);
  expect(use.maxConnections).toBeLessThan(most);
  expect(use.transactionIdAge).toBeGreaterThan(0);
  expect(use.responseSeconds).toBeGreaterThan(0);
  await sql("SELECT pg_logical_emit_message(true, 'test', repeat('x', 10000))");
  expect((await readDatabaseUse(api.api.domain.database.sql)).walBytes).toBeGreaterThanOrEqual(use.walBytes + 10_000);
});

it('the ten institutions with most waiting deliveries and events are named, the busiest first; what has ended is not counted', async () => {
  await sql('DELETE FROM open_deliveries');
  const schools = await Promise.all(Array.from({ length: 12 }, () => api.institution()));
  for (const [nth, school] of schools.entries()) {
    const endpointId = await seedEndpoint(api, school, 'https://receiver.example/');
    for (let each = 0; each <= nth; each += 1) await seedDelivery(api, school, endpointId, { status: each % 2 === 0 ? 'held' : 'retrying' });
    for (let each = 0; each < 20; each += 1) await seedDelivery(api, school, endpointId, { status: 'delivered' });
  }
  await sql('DELETE FROM event_queue');
  await seedEvents(api, schools[11] ?? institution, { createdAt: now, queued: true });
  const registry = new Registry();
  addInstitutionGauges(registry, () => readBusiestInstitutions(api.api.domain.database.sql), createLogger('worker', 'silent'), 0);
  const samplesOf = async (name: string): Promise<string[]> => (await registry.metrics()).split('\n').filter((line) => line.startsWith(`${name}{`));
  const busiest = schools.map(({ id }, nth) => `institution_waiting_deliveries{institution_id="${id}"} ${nth + 1}`).slice(2).reverse();
  expect(await samplesOf('institution_waiting_deliveries')).toEqual(busiest);
  expect((await samplesOf('institution_waiting_events'))[0]).toBe(`institution_waiting_events{institution_id="${schools[11]?.id ?? ''}"} 1`);
  await sql('DELETE FROM open_deliveries');
  expect(await samplesOf('institution_waiting_deliveries')).toEqual([`institution_waiting_deliveries{institution_id="${schools[11]?.id ?? ''}"} 0`]);
});

it('the pool of a process says how many connections are at work, and what waits for one', async () => {
  const database = await openDatabase(api.stack.databaseUrl, 2, () => undefined);
  const registry = new Registry();
  addPoolGauges(registry, database.pool);
  const values = async (): Promise<string[]> => (await registry.metrics()).split('\n').filter((line) => line.startsWith('database_pool'));
  try {
    expect(await values()).toEqual(['database_pool_busy_connections 0', 'database_pool_waiting 0']);
    const held = [await database.pool.connect(), await database.pool.connect()];
    const waits = database.sql('SELECT 1');
    expect(await values()).toEqual(['database_pool_busy_connections 2', 'database_pool_waiting 1']);
    for (const connection of held) connection.release();
    await waits;
    expect(await values()).toEqual(['database_pool_busy_connections 0', 'database_pool_waiting 0']);
  } finally {
    await database.close();
  }
});

describe('what is read of waiting work', () => {
  it('is nothing where nothing waits', async () => {
    expect(await read()).toEqual({ eventQueueAge: 0, eventQueueEvents: 0, pendingAge: 0, limitedAge: 0, limitedDeliveries: 0, openCircuits: 0, heldDeliveries: 0, outboxAge: 0, outboxRows: 0, signInEmailAge: 0, countsCorrected: 0, rowsWithoutPartition: 0, partitionsAhead: expect.any(Number), fillIdle: 0 });
  });

  it('shows the oldest event that is not fanned out, and how many there are', async () => {
    for (const seconds of [90, 30]) await seedEvents(api, institution, { createdAt: secondsAgo(seconds), queued: true });
    expect(await read()).toMatchObject({ eventQueueAge: 90, eventQueueEvents: 2 });
  });

  it('shows the oldest pending delivery over all endpoints', async () => {
    for (const [endpointId, seconds] of [[await endpoint(), 20], [await endpoint(), 300], [await endpoint(), 40]] as const) {
      for (const younger of [0, 10]) await seedDelivery(api, institution, endpointId, { createdAt: secondsAgo(seconds - younger) });
    }
    expect((await read()).pendingAge).toBe(300);
  });

  it('passes over pending deliveries that nobody may send, that are under way or not pending', async () => {
    await seedDelivery(api, institution, await endpoint(), { createdAt: secondsAgo(15) });
    const old = { createdAt: secondsAgo(900) };
    await seedDelivery(api, institution, await endpoint({ status: 'paused', pausedAt: now }), old);
    await seedDelivery(api, institution, await endpoint({ status: 'disabled' }), old);
    await seedDelivery(api, institution, await endpoint({ deletedAt: now }), old);
    await seedDelivery(api, institution, await endpoint(), { ...old, status: 'retrying' });
    await seedDelivery(api, institution, await endpoint(), { ...old, claimedBy: 'someone', claimedUntil: now });
    const open = await endpoint();
    await sql("UPDATE webhook_endpoints SET circuit = 'open', circuit_opened_at = $2, probe_at = $2 WHERE id = $1", [open, now]);
    await seedDelivery(api, institution, open, old);
    const otherInstitution = await api.institution();
    await seedDelivery(api, otherInstitution, await seedEndpoint(api, otherInstitution, 'https://receiver.example/'), old);
    await sql("UPDATE institutions SET status = 'suspended' WHERE id = $1", [otherInstitution.id]);
    expect(await read()).toMatchObject({ pendingAge: 15, openCircuits: 1 });
  });

  it('shows what waits for the rate limits of endpoints apart, with its number', async () => {
    const limited = [await endpoint({ rateLimit: 1 }), await endpoint({ rateLimit: 5 })];
    for (const [index, id] of limited.entries()) for (const seconds of [600, 60]) await seedDelivery(api, institution, id, { createdAt: secondsAgo(seconds + index * 100) });
    await seedDelivery(api, institution, await endpoint(), { createdAt: secondsAgo(15) });
    await seedDelivery(api, institution, limited[0] ?? '', { status: 'delivered', createdAt: secondsAgo(900) });
    await seedDelivery(api, institution, await endpoint({ rateLimit: 1, status: 'paused', pausedAt: now }), { createdAt: secondsAgo(900) });
    expect(await read()).toMatchObject({ pendingAge: 15, limitedAge: 700, limitedDeliveries: 4 });
  });

  it('counts what is held', async () => {
    const paused = await endpoint({ status: 'paused', pausedAt: now });
    for (const status of ['held', 'held', 'dead'] as const) await seedDelivery(api, institution, paused, { status });
    expect((await read()).heldDeliveries).toBe(2);
  });

  it('shows the oldest row of the outbox, and how many there are', async () => {
    for (const seconds of [70, 50]) await appendOutboxRow(secondsAgo(seconds));
    expect(await read()).toMatchObject({ outboxAge: 70, outboxRows: 2 });
  });

  it('shows the oldest email with a sign-in code that is not sent', async () => {
    for (const seconds of [240, 12]) {
      await sql("INSERT INTO sign_in_emails (request_id, request_sealed, created_at, expires_at) VALUES ('req_1', 'x', $1, $1)", [secondsAgo(seconds)]);
    }
    expect((await read()).signInEmailAge).toBe(240);
  });

  it('is never a negative age, though the clocks differ', async () => {
    await appendOutboxRow(secondsAgo(-5));
    expect((await read()).outboxAge).toBe(0);
  });
});

it('deliveries are counted by what they ended as, from zero on', async () => {
  const { registry, observeAttempts, observeEnded } = createWorkerMetrics();
  const total = async () => (await registry.getMetricsAsJSON()).find(({ name }) => name === 'webhook_deliveries_total')?.values.map(({ labels, value }) => [labels.outcome, value]);
  expect(await total()).toEqual([['delivered', 0], ['dead', 0], ['cancelled', 0]]);
  const facts = { error_class: null, duration_ms: 3 };
  observeAttempts((['delivered', 'retrying', 'dead', 'delivered'] as const).map((status) => ({ ...attempt, ...facts, status })));
  expect(await total()).toEqual([['delivered', 2], ['dead', 1], ['cancelled', 0]]);
  observeEnded({ dead: 3, cancelled: 2 });
  expect(await total()).toEqual([['delivered', 2], ['dead', 4], ['cancelled', 2]]);
});

const attempt: RecordedAttempt = {
  delivery_id: 'whd_1', institution_id: 'ins_1', endpoint_id: 'we_1', event_type: 'exam.graded', cycle: 1, number: 1, started_at: now, ended_at: now,
  duration_ms: 1, connect_ms: null, response_code: 200, error_class: null, error: null, response_body: null, status: 'delivered', next_attempt_at: null,
  schedule_step: 0, asked_until: null, resent: false,
        retry_workflow: null,
};

/** In place of the 5 s of production. */
const everyMs = 1_000;

describe('a worker', () => {
  let postgres: TcpProxy;
  let worker: RunningWorker;

  beforeAll(async () => {
    const { host } = new URL(api.stack.databaseUrl);
    postgres = await startTcpProxy(host);
    const url = new URL(api.stack.databaseUrl);
    url.host = postgres.address;
    worker = await startTestWorker({ ...api.settings, databaseUrl: url.href, databaseDirectUrl: null }, { gaugesEveryMs: everyMs });
  });

  afterAll(async () => {
    await postgres.resume();
    await worker.stop();
    await postgres.close();
  });

  const scrape = (): Promise<Metrics> => readMetrics(worker.port);

  it('shows how work waits, and asks Postgres at most once in 5 s', async () => {
    expect(gaugesEveryMs).toBe(5_000);
    const asked: Date[] = [];
    const registry = new Registry();
    addWaitingGauges(registry, (at) => (asked.push(at), read()), createLogger('worker', 'silent'));
    for (let scrapes = 0; scrapes < 5; scrapes += 1) expect(await registry.metrics()).toContain('webhook_gauges_stale 0');
    expect(asked).toHaveLength(1);
    // On a busy machine the first question may take longer than it has.
    const first = await eventually('fresh gauges', async () => {
      const metrics = await scrape();
      return metrics.get('webhook_gauges_stale') === 0 && metrics;
    });
    expect(first.get('webhook_held_deliveries')).toBe(0);
    await seedDelivery(api, institution, await endpoint({ status: 'paused', pausedAt: now }), { status: 'held' });
    await eventually('the gauge says so', async () => (await scrape()).get('webhook_held_deliveries') === 1);
  });

  it('shows which of its dependencies answers', async () => {
    await eventually('all of them', async () => {
      const metrics = await scrape();
      return metrics.get('dependency_up{dependency="postgres"}') === 1 && metrics.get('dependency_up{dependency="temporal"}') === 1;
    });
  });

  it.each([
    ['hangs', async () => postgres.hang()],
    ['refuses', () => postgres.refuse()],
  ])('answers a scrape though Postgres %s, says that the gauges are stale and leaves them out', async (_how, away) => {
    await eventually('fresh gauges', async () => (await scrape()).get('webhook_gauges_stale') === 0);
    await away();
    const stale = await eventually('stale gauges', async () => {
      const began = performance.now();
      const metrics = await scrape();
      expect(performance.now() - began).toBeLessThan(5_000);
      return metrics.get('webhook_gauges_stale') === 1 && metrics;
    });
    expect(stale.has('webhook_held_deliveries')).toBe(false);
    expect(stale.has('process_cpu_user_seconds_total')).toBe(true);
    expect(stale.get('dependency_up{dependency="postgres"}')).toBe(0);
    await postgres.resume();
    await eventually('fresh gauges', async () => (await scrape()).has('webhook_held_deliveries'));
  });
});
