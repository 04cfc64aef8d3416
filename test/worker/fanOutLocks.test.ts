import { setTimeout as pause } from 'node:timers/promises';
import { createLogger } from '../../config/logger';
import { createWorkerMetrics } from '../../worker/metrics';
import { startSender, type Sender } from '../../worker/sender/sender';
import { fanOutEvents } from '../../db/repositories/webhooks/fanOut';
import { institutionScope } from '../../db/database';
import { openGenericPlanPool, type GenericPlanPool } from '../../db/genericPlanPool';
import { transact } from '../../domain/transact';
import { deleteEndpoint } from '../../domain/webhooks/deleteEndpoint';
import { updateEndpoint, type WantedStatus } from '../../domain/webhooks/updateEndpoint';
import { createWebhookClient, type WebhookClient } from '../../outbound/webhooks/webhookClient';
import { withConnection } from '../../local/programs/postgres';
import type { TestInstitution } from '../support/api';
import { circuitOf } from '../support/circuits';
import { deliveriesOf } from '../support/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { seedEvents } from '../support/seed/events';
import { eventually } from '../support/eventually';
import { withExplain } from '../support/queryPlans';
import { startReceiver, type Receiver } from '../support/receiver';
import { apiFixture } from '../support/apiFixture';

const window = 12 * 3_600_000;
const stopsWithinMs = 10_000;

let receiver: Receiver;
let pool: GenericPlanPool;
let client: WebhookClient;
let otherInstitution: TestInstitution;

beforeAll(async () => {
  receiver = await startReceiver();
  client = createWebhookClient({ trustedHosts: [receiver.host] });
});

afterAll(async () => {
  await pool.close();
  await client.close();
  await receiver.close();
});

const { api, institution } = apiFixture({ settings: () => ({ webhookTrustedHosts: [receiver.host] }) });

beforeAll(() => {
  pool = openGenericPlanPool(api.stack.databaseUrl, 6, () => undefined);
});

beforeEach(async () => {
  receiver.received.length = 0;
  otherInstitution = await api.institution();
  // The events of creating them.
  await api.api.domain.database.sql('DELETE FROM event_queue');
});

const seed = (institution: TestInstitution): Promise<string> => seedEndpoint(api, institution, receiver.url, { events: ['*'] });
const emit = (institution: TestInstitution, count = 1): Promise<string[]> => seedEvents(api, institution, { createdAt: new Date(Date.now() + 60_000), count, queued: true });
const fanOut = (passOver: readonly string[] = []) => fanOutEvents(pool.sql, 500, window, passOver);
const statuses = async (endpointId: string): Promise<string[]> => [...(await deliveriesOf(api, endpointId)).values()].map(({ status }) => status);
const arrived = (ids: readonly string[]): string[] => receiver.received.map(({ headers }) => String(headers['webhook-id'])).filter((id) => ids.includes(id));

/** Holds a lock in a transaction of its own until it is released. */
async function hold(institution: TestInstitution, lock: string, id: string): Promise<() => Promise<void>> {
  let release = (): void => undefined;
  let held = (): void => undefined;
  const isHeld = new Promise<void>((resolve) => { held = resolve; });
  const released = new Promise<void>((resolve) => { release = resolve; });
  const holding = transact(api.api.domain, institution.caller, async (tx) => {
    await tx.sql(lock, [id]);
    held();
    await released;
  });
  await isHeld;
  return async () => {
    release();
    await holding;
  };
}

function begin(): Sender {
  const { domain } = api.api;
  return startSender({ domain, sql: pool.sql, client, logger: createLogger('worker', 'silent'), metrics: createWorkerMetrics(), onOutboxAppended: () => undefined });
}

it.each([
  ['an endpoint', 'SELECT 1 FROM webhook_endpoints WHERE institution_id = $1 FOR UPDATE'],
  ['the row of an institution', 'SELECT 1 FROM institutions WHERE id = $1 FOR NO KEY UPDATE'],
])('while somebody holds %s, events of others arrive, though more of its own than a fan-out takes came before; its own arrive once, afterwards', async (_what, lock) => {
  const endpoints = [await seed(institution), await seed(otherInstitution)];
  const release = await hold(institution, lock, institution.id);
  const sender = begin();
  try {
    const own = await emit(institution, 700);
    const others: string[] = [];
    for (let nth = 0; nth < 5; nth += 1) {
      const [id = ''] = await emit(otherInstitution);
      others.push(id);
      sender.wakeForEvents();
      await eventually('the event of another institution', () => arrived(others).length === nth + 1, 4_000);
    }
    expect(arrived(own)).toEqual([]);
    await release();
    await eventually('every event of its own', () => arrived(own).length >= own.length);
    await eventually('all delivered', async () => (await Promise.all(endpoints.map(statuses))).flat().every((status) => status === 'delivered'));
    expect(arrived([...own, ...others]).sort()).toEqual([...own, ...others].sort());
    expect(await api.api.domain.database.sql('SELECT 1 FROM event_queue')).toEqual([]);
  } finally {
    await release();
    await sender.stop(stopsWithinMs);
  }
});

it('while its failures cannot be written, because somebody holds its endpoint, no more are attempted than open a circuit; then it is open, and the rest is held', async () => {
  receiver.respond = () => 500;
  const id = await seed(institution);
  const own = await emit(institution, 300);
  await fanOut();
  const release = await hold(institution, 'SELECT 1 FROM webhook_endpoints WHERE institution_id = $1 FOR UPDATE', institution.id);
  const sender = begin();
  try {
    await eventually('so many attempts', () => arrived(own).length >= 20);
    // Longer than a poll of the sender, which would begin the next ones.
    await pause(1_500);
    expect(arrived(own).length).toBeLessThanOrEqual(24);
    await release();
    await eventually('an open circuit', async () => (await circuitOf(api.api.domain.database.sql, id)).circuit === 'open');
    await eventually('the rest held', async () => (await statuses(id)).filter((status) => status === 'pending').length === 0);
    expect(arrived(own).length).toBeLessThanOrEqual(24);
  } finally {
    await release();
    await sender.stop(stopsWithinMs);
    receiver.respond = () => 200;
  }
});

it('under load the events of others arrive as soon while somebody holds an endpoint as while nobody does', async () => {
  await seed(institution);
  await seed(otherInstitution);
  const sender = begin();
  /** Events of both, 60 each; the median from the commit to the arrival of the others', in ms. */
  const load = async (): Promise<number> => {
    const committed = new Map<string, number>();
    for (let nth = 0; nth < 60; nth += 1) {
      await emit(institution);
      const [id = ''] = await emit(otherInstitution);
      committed.set(id, Date.now());
      sender.wakeForEvents();
      await pause(20);
    }
    await eventually('the events of the other institution', () => arrived([...committed.keys()]).length === committed.size);
    const took = receiver.received.flatMap(({ headers, at }) => {
      const since = committed.get(String(headers['webhook-id']));
      return since === undefined ? [] : [at - since];
    });
    return took.sort((a, b) => a - b)[30] ?? Infinity;
  };
  try {
    const free = await load();
    const release = await hold(institution, 'SELECT 1 FROM webhook_endpoints WHERE institution_id = $1 FOR UPDATE', institution.id);
    const locked = await load().finally(release);
    expect(locked).toBeLessThan(3 * Math.max(free, 0) + 50);
  } finally {
    await sender.stop(stopsWithinMs);
  }
});

it('an institution that is skipped is named, keeps its events, and is not looked at where it is to be left out', async () => {
  const endpointId = await seed(institution);
  await emit(institution, 2);
  const release = await hold(institution, 'SELECT 1 FROM webhook_endpoints WHERE id = $1 FOR NO KEY UPDATE', endpointId);
  expect(await fanOut()).toMatchObject({ seen: 2, events: 0, locked: [institution.id], endpoints: [] });
  expect(await fanOut([institution.id])).toMatchObject({ seen: 0, events: 0, locked: [] });
  await release();
  expect(await fanOut()).toMatchObject({ seen: 2, events: 2, locked: [], endpoints: [{ endpointId, institutionId: institution.id }] });
});

it('an institution of which some endpoint is locked at every moment has its events fanned out all the same, and others do not wait', async () => {
  const endpointIds = await Promise.all(Array.from({ length: 6 }, () => seed(institution)));
  await seed(otherInstitution);
  let locking = true;
  const lockers = endpointIds.map((id, nth) =>
    withConnection(api.stack.ownerDatabaseUrl, async (client) => {
      while (locking) {
        await client.query(`BEGIN; SELECT 1 FROM webhook_endpoints WHERE id = '${id}' FOR NO KEY UPDATE; SELECT pg_sleep(0.03 + 0.011 * ${nth}); COMMIT`);
      }
    }),
  );
  const free = 'SELECT 1 FROM webhook_endpoints WHERE institution_id = $1 FOR SHARE SKIP LOCKED';
  await eventually('locks on all', async () => (await api.api.domain.database.sql(free, [institution.id])).length === 0);
  const own = await emit(institution, 3);
  const sender = begin();
  try {
    sender.wakeForEvents();
    await eventually('its own events claimed by the sender', async () => (await api.api.domain.database.sql('SELECT 1 FROM event_queue WHERE institution_id = $1', [institution.id])).length === 0);
    const [other = ''] = await emit(otherInstitution);
    sender.wakeForEvents();
    await eventually('the event of another institution', () => arrived([other]).length === 1, 4_000);
    await eventually('its own events', () => arrived(own).length === own.length * endpointIds.length);
  } finally {
    locking = false;
    await Promise.all(lockers);
    await sender.stop(stopsWithinMs);
  }
});

it.each<[string, boolean]>([['that is left out', true], ['that is locked', false]])('the queued events of an institution %s are not read', async (_what, leftOut) => {
  const endpointId = await seed(institution);
  await seed(otherInstitution);
  const queue = (institution: TestInstitution, count: number): Promise<unknown> =>
    api.api.domain.database.sql(
      "INSERT INTO event_queue (event_id, institution_id, type, created_at) SELECT 'evt_0123456789' || $1 || n, $1, 'exam.graded', now() FROM generate_series(1, $2::int) n",
      [institution.id, count],
    );
  // What others have left is read as long as it is not vacuumed away.
  await withConnection(api.stack.ownerDatabaseUrl, (client) => client.query('VACUUM event_queue'));
  await queue(institution, 20_000);
  await queue(otherInstitution, 2);
  const release = await hold(institution, 'SELECT 1 FROM webhook_endpoints WHERE id = $1 FOR NO KEY UPDATE', endpointId);
  const { scope, done } = withExplain({ ...institutionScope(api.api.domain.database, institution.id), sql: pool.sql });
  await fanOutEvents(scope.sql, 500, window, leftOut ? [institution.id] : []);
  await release();
  expect(done.map(({ blocks }) => blocks)).toEqual([expect.any(Number)]);
  expect(done[0]?.blocks).toBeLessThan(150);
});

describe('a fan-out and a command at the same time', () => {
  const setStatus = (endpointId: string, status: WantedStatus): Promise<unknown> =>
    transact(api.api.domain, { ...institution.caller, now: new Date() }, (tx) => updateEndpoint(tx, endpointId, { status }));
  const drain = async (): Promise<void> => {
    await eventually('an empty queue', async () => {
      await fanOut();
      return (await api.api.domain.database.sql('SELECT 1 FROM event_queue')).length === 0;
    });
  };

  it.each([['paused', 'held'], ['active', 'pending']] as const)('that makes the endpoint %s: everything is %s afterwards', async (wanted, becomes) => {
    const endpointId = await seed(institution);
    const other = wanted === 'paused' ? 'active' : 'paused';
    for (let round = 0; round < 30; round += 1) {
      await setStatus(endpointId, other);
      await emit(institution, 3);
      await Promise.all([setStatus(endpointId, wanted), fanOut(), fanOut()]);
      await drain();
      expect(new Set(await statuses(endpointId))).toEqual(new Set([becomes]));
    }
    expect(await statuses(endpointId)).toHaveLength(90);
  });

  it('that deletes the endpoint: nothing stays open', async () => {
    for (let round = 0; round < 20; round += 1) {
      const endpointId = await seed(institution);
      await emit(institution, 3);
      await Promise.all([transact(api.api.domain, institution.caller, (tx) => deleteEndpoint(tx, endpointId)), fanOut()]);
      await drain();
      expect((await statuses(endpointId)).filter((status) => status !== 'cancelled')).toEqual([]);
    }
  });
});
