import { institutionScope } from '../../../db/database';
import { openGenericPlanPool, type GenericPlanPool } from '../../../db/genericPlanPool';
import { settingsSource } from '../../../db/sessionSettings';
import { erasedTables, eraseRows } from '../../../db/repositories/sandbox/erasure';
import { recordFailures, recordSuccesses } from '../../../db/repositories/webhooks/attempts';
import { findDelivery, listDeliveries, lockDelivery } from '../../../db/repositories/webhooks/deliveries';
import { fanOutEvents } from '../../../db/repositories/webhooks/fanOut';
import { claimPendingDeliveries, releaseLapsedClaims, type ClaimedDelivery } from '../../../db/repositories/webhooks/sending';
import type { Transaction } from '../../../domain/context';
import { newId } from '../../../domain/ids';
import { deliveryWorkflowId } from '../../../domain/outbox/workflows';
import { eraseChunk } from '../../../domain/sandbox/eraseSandbox';
import { transact } from '../../../domain/transact';
import { cancelDelivery } from '../../../domain/webhooks/cancelDelivery';
import { recoverChunk } from '../../../domain/webhooks/recoverChunk';
import { replayDelivery } from '../../../domain/webhooks/replayDelivery';
import { attemptOf, placedDeliveries } from '../../support/deliveryTables';
import { apiFixture } from '../../support/apiFixture';
import { eventually } from '../../support/eventually';
import { seedDelivery } from '../../support/seed/deliveries';
import { endpointForEachTest, seedEndpoint } from '../../support/seed/endpoints';
import { seedEvents } from '../../support/seed/events';

const window = 12 * 3_600_000;
const claimer = 'worker';
const limits = { maxWorkflows: 50, failuresToOpen: 1_000, firstProbeMs: 5_000 };
const fixture = apiFixture();
const { api, institution, sql } = fixture;
const endpoint = endpointForEachTest(fixture);
let pool: GenericPlanPool;

beforeAll(() => {
  pool = openGenericPlanPool(api.settings.databaseUrl, 4, () => undefined, settingsSource(api.settings));
});

afterAll(() => pool.close());

const scope = () => institutionScope(api.api.domain.database, institution.id);
const command = <Result>(work: Parameters<typeof transact<Result>>[2]): Promise<Result> => transact(api.api.domain, { institutionId: institution.id, now: new Date() }, work);
const placed = () => placedDeliveries(pool.sql, institution.id);
const places = async (): Promise<Record<string, string>> => Object.fromEntries((await placed()).map(({ status, place }) => [status, place]));

/** Events of one institution are a millisecond apart or more. */
let nextEventAt = Date.now() + 60_000;
const seedQueued = (count: number): Promise<string[]> =>
  seedEvents(api, institution, { createdAt: new Date((nextEventAt += 1_000)), type: 'student.created', count, queued: true });

/** Fans out so many events, and claims their deliveries. */
async function claimed(count: number): Promise<ClaimedDelivery[]> {
  await sql('DELETE FROM event_queue');
  await seedQueued(count);
  await fanOutEvents(pool.sql, 500, window);
  return claimPendingDeliveries(pool.sql, new Map([[endpoint.id, count]]), claimer, window);
}

const succeed = (deliveries: readonly ClaimedDelivery[]): Promise<void> => recordSuccesses(pool.sql, deliveries.map((one) => attemptOf(one, 'delivered')), claimer);
const fail = (deliveries: readonly ClaimedDelivery[], status: 'retrying' | 'dead'): Promise<number> =>
  recordFailures(pool.sql, deliveries.map((one) => ({ ...attemptOf(one, status), since_success: true, success_between: false })), claimer, limits);

/** Runs one thing in a transaction, and another that waits for it; returns the result of the other, after the commit. */
async function during<Result>(first: (tx: Transaction) => Promise<unknown>, other: () => Promise<Result>): Promise<Result> {
  const { waiting } = await command(async (tx) => {
    await first(tx);
    const [own] = await tx.sql<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const begun = other();
    await eventually('a statement that waits', async () => (await sql("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND $1 = ANY (pg_blocking_pids(pid))", [own?.pid])).length > 0);
    return { waiting: begun };
  });
  return waiting;
}

/** The same of a success. */
const duringSuccess = <Result>(delivery: ClaimedDelivery, other: () => Promise<Result>): Promise<Result> =>
  during((tx) => recordSuccesses(tx.sql, [attemptOf(delivery, 'delivered')], claimer), other);

it('a new delivery is open, and moves to the ended ones in the statement that ends it: by a success, by its last failure, without an attempt', async () => {
  const [first, second, third, fourth] = await claimed(4);
  if (first === undefined || second === undefined || third === undefined || fourth === undefined) throw new Error('Four deliveries are claimed');
  expect(await places()).toEqual({ pending: 'open_deliveries' });
  await succeed([first]);
  await fail([second], 'dead');
  await fail([third], 'retrying');
  await command((tx) => cancelDelivery(tx, fourth.id));
  expect(await places()).toEqual({ delivered: 'webhook_deliveries', dead: 'webhook_deliveries', retrying: 'open_deliveries', cancelled: 'webhook_deliveries' });
  expect(await placed()).toHaveLength(4);
  const { rows, total } = await listDeliveries(scope(), {}, { page: 1, limit: 10 });
  expect([total, new Set(rows.map(({ id }) => id)).size]).toEqual([4, 4]);
});

it('a replay moves a delivery back, and its numbers of attempts continue', async () => {
  const [one] = await claimed(1);
  if (one === undefined) throw new Error('A delivery is claimed');
  await succeed([one]);
  await command((tx) => replayDelivery(tx, one.id, undefined));
  expect(await placed()).toMatchObject([{ id: one.id, status: 'pending', place: 'open_deliveries' }]);
  const again = await claimPendingDeliveries(pool.sql, new Map([[endpoint.id, 1]]), claimer, window);
  expect(again).toMatchObject([{ id: one.id, cycle: 2, attempts: 1 }]);
  await succeed(again);
  expect(await placed()).toMatchObject([{ id: one.id, status: 'delivered', place: 'webhook_deliveries' }]);
  expect(await findDelivery(scope(), one.id)).toMatchObject({ attempts: 2, status: 'delivered', response_code: 200 });
});

it('a caller that waits for the lock of a delivery which is being moved gets it from the table where it is then', async () => {
  const [one] = await claimed(1);
  if (one === undefined) throw new Error('A delivery is claimed');
  expect(await duringSuccess(one, () => command((tx) => lockDelivery(tx, one.id)))).toMatchObject({ id: one.id, status: 'delivered' });
  expect(await command((tx) => lockDelivery(tx, newId('whd')))).toBeUndefined();
});

it('the id of a delivery is made from its event and endpoint: a second one of both is refused', async () => {
  const [one] = await claimed(1);
  if (one === undefined) throw new Error('A delivery is claimed');
  expect(one.id).toMatch(/^whd_[0-9a-z]{26}$/);
  expect(one.id.slice(4, 14)).toBe(one.event_id.slice(4, 14));
  await sql('INSERT INTO event_queue (event_id, institution_id, type, created_at) SELECT id, institution_id, type, created_at FROM events WHERE id = $1', [one.event_id]);
  await fanOutEvents(pool.sql, 500, window);
  expect(await placed()).toMatchObject([{ id: one.id }]);
});

it('a recovery writes no delivery of an event that is still to be fanned out, nor of an event with a delivery that has ended', async () => {
  await sql('DELETE FROM events WHERE institution_id = $1', [institution.id]);
  const [one] = await claimed(1);
  if (one === undefined) throw new Error('A delivery is claimed');
  await succeed([one]);
  const range = { endpointId: endpoint.id, until: new Date(nextEventAt + 10_000), eventTypes: undefined };
  const recover = () => command((tx) => recoverChunk(tx, newId('rcv'), range, new Date(0)));
  await seedQueued(1);
  await expect(recover()).rejects.toThrow('still to be fanned out');
  await sql('DELETE FROM event_queue');
  await recover();
  expect(await placed()).toMatchObject([{ id: one.id, status: 'delivered' }, { status: 'pending', place: 'open_deliveries' }]);
});

it('a lapsed claim of an open delivery is released, also behind others of its endpoint', async () => {
  const deliveries = await claimed(20);
  await sql("UPDATE open_deliveries SET claimed_until = now() - interval '1 second' WHERE id = ANY ($1)", [deliveries.slice(10).map(({ id }) => id)]);
  await releaseLapsedClaims(pool.sql);
  const again = await claimPendingDeliveries(pool.sql, new Map([[endpoint.id, 100]]), 'another', window);
  expect(again.map(({ id }) => id).sort()).toEqual(deliveries.slice(10).map(({ id }) => id).sort());
});

/** Erases the institution's deliveries and attempts, in the order of an erasure. */
async function eraseDeliveries(): Promise<void> {
  for (const table of erasedTables.filter((name) => name.endsWith('_deliveries') || name === 'webhook_attempts')) await eraseRows(scope(), table, 100);
}

const attemptsLeft = () => sql('SELECT delivery_id FROM webhook_attempts WHERE institution_id = $1', [institution.id]);

it('an attempt that is recorded while its delivery is erased is erased with it', async () => {
  const [open] = await claimed(1);
  if (open === undefined) throw new Error('A delivery is claimed');
  await duringSuccess(open, eraseDeliveries);
  expect([await placed(), await attemptsLeft()]).toEqual([[], []]);
});

it('an attempt that is recorded while its delivery, cancelled meanwhile, is erased is erased with it', async () => {
  const [ended] = await claimed(1);
  if (ended === undefined) throw new Error('A delivery is claimed');
  await command((tx) => cancelDelivery(tx, ended.id));
  await duringSuccess(ended, eraseDeliveries);
  expect([await placed(), await attemptsLeft()]).toEqual([[], []]);
});

it('an attempt whose delivery is cancelled at this moment is recorded, and changes nothing', async () => {
  const [one] = await claimed(1);
  if (one === undefined) throw new Error('A delivery is claimed');
  await during((tx) => cancelDelivery(tx, one.id), () => succeed([one]));
  expect(await findDelivery(scope(), one.id)).toMatchObject({ status: 'cancelled', attempts: 0 });
  expect(await attemptsLeft()).toEqual([{ delivery_id: one.id }]);
});

it('an erasure takes as many rows as it may of one table, and has the workflows of open deliveries look', async () => {
  const sandbox = await api.sandboxOf(institution);
  const endpointId = await seedEndpoint(api, sandbox, 'https://hooks.north.example/in');
  const ids: string[] = [];
  for (const status of ['retrying', 'delivered'] as const) {
    for (let nth = 0; nth < 3; nth += 1) ids.push(await seedDelivery(api, sandbox, endpointId, { status }));
  }
  const ofSandbox = institutionScope(api.api.domain.database, sandbox.id);
  expect(await eraseRows(ofSandbox, 'webhook_deliveries', 2)).toHaveLength(2);
  expect((await placedDeliveries(pool.sql, sandbox.id)).map(({ status }) => status).sort()).toEqual(['delivered', 'retrying', 'retrying', 'retrying']);
  await sql('UPDATE institutions SET erasing_since = now() WHERE id = $1', [sandbox.id]);
  expect(await eraseChunk(api.api.domain, sandbox.id, 'open_deliveries', new Date())).toMatchObject({ erased: 3 });
  const signals = await sql<{ workflow_id: string }>("SELECT workflow_id FROM owed_workflows WHERE institution_id = $1 AND name = 'cancel'", [sandbox.id]);
  expect(signals.map(({ workflow_id }) => workflow_id).sort()).toEqual(ids.slice(0, 3).map((id) => deliveryWorkflowId(id, 1)).sort());
});

it('an attempt whose delivery was erased meanwhile is not recorded', async () => {
  const [gone, failed, kept] = await claimed(3);
  if (gone === undefined || failed === undefined || kept === undefined) throw new Error('Three deliveries are claimed');
  await sql('DELETE FROM open_deliveries WHERE id = ANY ($1)', [[gone.id, failed.id]]);
  await succeed([gone, kept]);
  await fail([failed], 'dead');
  expect(await sql('SELECT delivery_id FROM webhook_attempts WHERE institution_id = $1', [institution.id])).toEqual([{ delivery_id: kept.id }]);
});

it('the history takes no open delivery: a release that would write one there gets an error, and its event stays queued', async () => {
  await expect(endpoint.seedDelivery({ deadlineAt: new Date(Date.now() + window) }, 'webhook_deliveries')).rejects.toThrow('webhook_deliveries_ended');
});

it('claims are heap-only updates, with an index that has one entry a delivery', async () => {
  for (let nth = 0; nth < 10; nth += 1) await succeed(await claimed(30));
  await sql('SELECT pg_stat_force_next_flush()');
  const counted = await eventually('the statistics', async () => {
    const [row] = await sql<{ updates: number; hot: number }>(
      "SELECT n_tup_upd::int AS updates, n_tup_hot_upd::int AS hot FROM pg_stat_user_tables WHERE relname = 'open_deliveries'",
    );
    return row !== undefined && row.updates >= 300 && row;
  });
  expect(counted.hot / counted.updates).toBeGreaterThan(0.9);
});
