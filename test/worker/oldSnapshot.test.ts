import { institutionScope } from '../../db/database';
import { openGenericPlanPool, type GenericPlanPool } from '../../db/genericPlanPool';
import { settingsSource } from '../../db/sessionSettings';
import { recordSuccesses } from '../../db/repositories/webhooks/attempts';
import { fanOutEvents } from '../../db/repositories/webhooks/fanOut';
import { claimPendingDeliveries, listEndpointsWithPending } from '../../db/repositories/webhooks/sending';
import { claimOutboxRows, deleteOutboxRows } from '../../db/repositories/outbox/outbox';
import { hasRowsUpTo, viewQueue, type QueueName } from '../../db/repositories/queues';
import { withConnection } from '../../local/programs/postgres';
import { EmptyUpTo, startQueueStart } from '../../worker/queueStart';
import { attemptOf } from '../support/deliveryTables';
import { apiFixture } from '../support/apiFixture';
import { eventually } from '../support/eventually';
import { withOldSnapshot } from '../support/oldSnapshot';
import { withExplain } from '../support/queryPlans';
import { endpointForEachTest } from '../support/seed/endpoints';
import { seedEvents } from '../support/seed/events';

const window = 12 * 3_600_000;
const rounds = 8;
const perRound = 500;
/** How many blocks more a statement may read after thousands of rows have passed: a scan from the beginning reads thousands. */
const moreBlocks = 200;

const fixture = apiFixture();
const { api, institution, sql } = fixture;
const endpoint = endpointForEachTest(fixture);
let pool: GenericPlanPool;

beforeAll(() => {
  pool = openGenericPlanPool(api.settings.databaseUrl, 4, () => undefined, settingsSource(api.settings));
});
afterAll(() => pool.close());
beforeEach(() => sql('DELETE FROM event_queue'));

let nextEventAt = Date.now() + 60_000;
const seed = (count: number): Promise<string[]> => seedEvents(api, institution, { createdAt: new Date((nextEventAt += 10_000)), type: 'student.created', count, queued: true });

const look = async (emptyUpTo: EmptyUpTo, queue: QueueName = 'event_queue'): Promise<void> => {
  emptyUpTo.observe(await viewQueue(pool.sql, queue, emptyUpTo.value, emptyUpTo.needsMark));
};

/** Looks until the queue is known to be empty up to the last `seq` given; other transactions of the cluster may take a moment to end. */
const lookUntilEmpty = (emptyUpTo: EmptyUpTo, queue: QueueName = 'event_queue') => eventually('an empty queue', async () => {
  await look(emptyUpTo, queue);
  const { last } = await viewQueue(pool.sql, queue, emptyUpTo.value);
  return last === null || String(emptyUpTo.value) === last;
});

const blocksOf = async (run: (explained: GenericPlanPool['sql']) => Promise<unknown>): Promise<number> => {
  const { scope, done } = withExplain({ ...institutionScope(api.api.domain.database, institution.id), sql: pool.sql });
  await run(scope.sql);
  return Math.max(...done.map(({ blocks }) => blocks));
};

test('fan-outs and claims read as much after thousands of events have passed under an old snapshot as before', async () => {
  await withOldSnapshot(api.stack.databaseUrl, async () => {
    const emptyUpTo = new EmptyUpTo();
    let since = new Date(0);
    const fanOutBlocks = (): Promise<number> => blocksOf((run) => fanOutEvents(run, perRound, window, [], emptyUpTo.value));
    const claimBlocks = (): Promise<number> => blocksOf((run) => claimPendingDeliveries(run, new Map([[endpoint.id, 1]]), 'a sender', window, { since: new Map([[endpoint.id, since]]) }));
    await lookUntilEmpty(emptyUpTo);
    const before = { fanOut: await fanOutBlocks(), claim: await claimBlocks() };
    for (let round = 0; round < rounds; round += 1) {
      await seed(perRound);
      const { endpoints } = await fanOutEvents(pool.sql, perRound, window, [], emptyUpTo.value);
      expect(endpoints.map(({ endpointId }) => endpointId)).toContain(endpoint.id);
      since = endpoints.find(({ endpointId }) => endpointId === endpoint.id)?.since ?? since;
      const claimed = await claimPendingDeliveries(pool.sql, new Map([[endpoint.id, perRound]]), 'a sender', window, { since: new Map([[endpoint.id, since]]) });
      expect(claimed).toHaveLength(perRound);
      since = new Date(Math.max(...claimed.map(({ event_created_at }) => event_created_at.getTime())));
      await recordSuccesses(pool.sql, claimed.map((one) => attemptOf(one, 'delivered')), 'a sender');
    }
    await lookUntilEmpty(emptyUpTo);
    const after = { fanOut: await fanOutBlocks(), claim: await claimBlocks() };
    expect(after.fanOut).toBeLessThan(before.fanOut + moreBlocks);
    expect(after.claim).toBeLessThan(before.claim + moreBlocks);
    // From the beginning they would read all that has passed.
    const whole = await blocksOf((run) => claimPendingDeliveries(run, new Map([[endpoint.id, 1]]), 'a sender', window));
    expect(whole).toBeGreaterThan(after.claim + moreBlocks);
  });
});

test('the relay reads as much after thousands of rows have passed under an old snapshot as before', async () => {
  await withOldSnapshot(api.stack.databaseUrl, async () => {
    const emptyUpTo = new EmptyUpTo();
    await lookUntilEmpty(emptyUpTo, 'owed_workflows');
    const blocks = (): Promise<number> => blocksOf((run) => claimOutboxRows(run, 50, 1, emptyUpTo.value));
    const before = await blocks();
    for (let round = 0; round < rounds; round += 1) {
      await sql(`INSERT INTO owed_workflows (institution_id, kind, name, workflow_id, argument) SELECT $1, 'signal', 'look', $2 || n, '{}' FROM generate_series(1, $3::int) n`, [institution.id, `old_${round}_`, perRound]);
      const claimed = (await claimOutboxRows(pool.sql, perRound, 1, emptyUpTo.value)).flat();
      expect(claimed).toHaveLength(perRound);
      await deleteOutboxRows(pool.sql, claimed.map(({ seq }) => seq));
    }
    await lookUntilEmpty(emptyUpTo, 'owed_workflows');
    expect(await blocks()).toBeLessThan(before + moreBlocks);
  });
});

test('an event that commits after events with a higher number is fanned out', async () => {
  const emptyUpTo = new EmptyUpTo();
  const late = await withConnection(api.stack.databaseUrl, async (client) => {
    await client.query('BEGIN');
    await client.query(`INSERT INTO event_queue (event_id, institution_id, type, created_at) VALUES ('evt_late', $1, 'student.created', now())`, [institution.id]);
    await seed(3);
    for (let nth = 0; nth < 6; nth += 1) {
      await fanOutEvents(pool.sql, perRound, window, [], emptyUpTo.value);
      await look(emptyUpTo);
    }
    await client.query('COMMIT');
    return emptyUpTo.value;
  });
  expect(await hasRowsUpTo(pool.sql, 'event_queue', late)).toBe(false);
  expect((await fanOutEvents(pool.sql, perRound, window, [], late)).events).toBe(1);
});

test('events that nobody has fanned out stay ahead of where scans begin', async () => {
  const emptyUpTo = new EmptyUpTo();
  await seed(3);
  for (let nth = 0; nth < 6; nth += 1) await look(emptyUpTo);
  expect((await fanOutEvents(pool.sql, perRound, window, [], emptyUpTo.value)).events).toBe(3);
});

test('no row is ever behind where scans begin, in any order of commits, rollbacks and fan-outs', async () => {
  const emptyUpTo = new EmptyUpTo();
  let state = 7;
  const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
  const connections = await Promise.all([1, 2, 3].map(async () => ({ client: await api.api.domain.database.pool.connect(), isOpen: false })));
  let written = 0;
  let taken = 0;
  try {
    const pending = new Map<unknown, number>();
    for (let step = 0; step < 300; step += 1) {
      const one = connections[random(connections.length)];
      if (one === undefined) continue;
      const choice = random(6);
      if (choice <= 1) {
        if (!one.isOpen) await one.client.query('BEGIN');
        one.isOpen = true;
        await one.client.query(`INSERT INTO event_queue (event_id, institution_id, type, created_at) VALUES ('evt_' || gen_random_uuid(), $1, 'student.created', now())`, [institution.id]);
        pending.set(one, (pending.get(one) ?? 0) + 1);
      } else if (choice === 2 && one.isOpen) {
        const commits = random(4) > 0;
        await one.client.query(commits ? 'COMMIT' : 'ROLLBACK');
        one.isOpen = false;
        if (commits) written += pending.get(one) ?? 0;
        pending.delete(one);
      } else if (choice === 3) {
        taken += (await fanOutEvents(pool.sql, 1 + random(5), window, [], emptyUpTo.value)).events;
      } else {
        await look(emptyUpTo);
      }
      expect(await hasRowsUpTo(pool.sql, 'event_queue', emptyUpTo.value)).toBe(false);
    }
    for (const one of connections) {
      if (!one.isOpen) continue;
      await one.client.query('COMMIT');
      written += pending.get(one) ?? 0;
    }
    for (let events = 1; events > 0; taken += events) ({ events } = await fanOutEvents(pool.sql, perRound, window, [], emptyUpTo.value));
    expect(taken).toBe(written);
    // Transactions of other tests on the same server may be older.
    await eventually('what is known to be empty', async () => {
      await look(emptyUpTo);
      return emptyUpTo.value > 0n;
    });
  } finally {
    for (const { client } of connections) client.release(true);
  }
});

test('rows that come back behind where scans begin are found', async () => {
  await seed(1);
  await fanOutEvents(pool.sql, perRound, window);
  let returned = 0;
  const errors: unknown[] = [];
  const start = startQueueStart(pool.sql, 'event_queue', { onReturned: () => { returned += 1; }, onError: (error) => errors.push(error) });
  try {
    await eventually('a start of scans', async () => start.after() > 0n);
    await sql(`INSERT INTO event_queue (seq, event_id, institution_id, type, created_at) OVERRIDING SYSTEM VALUE VALUES ($1, 'evt_back', $2, 'student.created', now())`, [String(start.after()), institution.id]);
    await eventually('the row that came back', async () => returned > 0);
    expect((await fanOutEvents(pool.sql, perRound, window, [], start.after())).events).toBe(1);
    expect(errors).toEqual([]);
  } finally {
    await start.stop();
  }
});

test('an endpoint with unclaimed deliveries is listed with the time of its oldest event, from which all of them are claimed', async () => {
  await seed(5);
  const { endpoints } = await fanOutEvents(pool.sql, perRound, window);
  const listed = (await listEndpointsWithPending(pool.sql)).filter(({ endpointId }) => endpointId === endpoint.id);
  expect(listed.map(({ since }) => since)).toEqual(endpoints.filter(({ endpointId }) => endpointId === endpoint.id).map(({ since }) => since));
  const since = new Map(listed.map((one) => [one.endpointId, one.since]));
  expect(await claimPendingDeliveries(pool.sql, new Map([[endpoint.id, 10]]), 'a sender', window, { since })).toHaveLength(5);
});
