import { claimProbe, moveDeliveries } from '../../../db/repositories/webhooks/backlog';
import { addPendingClockPauses } from '../../../db/repositories/webhooks/clockPauses';
import { claimDelivery } from '../../../db/repositories/webhooks/retries';
import { claimPendingDeliveries } from '../../../db/repositories/webhooks/sending';
import type { Sql } from '../../../db/statement';
import type { Transaction } from '../../../domain/context';
import { transact } from '../../../domain/transact';
import { updateEndpoint, type WantedStatus } from '../../../domain/webhooks/updateEndpoint';
import { apiFixture } from '../../support/apiFixture';
import { endpointForEachTest } from '../../support/seed/endpoints';
import { eventually } from '../../support/eventually';
import { withLockedRows } from '../../support/lockedRows';

const hour = 3_600_000;
const window = 12 * hour;
const fixture = apiFixture();
const { api, institution, sql } = fixture;
const endpoint = endpointForEachTest(fixture);
const now = new Date();
const ago = (hours: number): Date => new Date(now.getTime() - hours * hour);
/** The clock of the only delivery was paused for 20 hours, and then for 2 more. */
const pauses = { first: { began: ago(23), ended: ago(3) }, second: { began: ago(2), ended: now } };
const created = ago(25);

/** Where a statement is held up after it began, before it locks a delivery: its endpoint is read as of the begin. */
const gate = 7_261;
const gated = (condition: string): Sql => (query, values) => {
  const text = typeof query === 'string' ? query : query.text;
  return api.api.domain.database.sql(text.replace(condition, `${condition} AND (SELECT true FROM (SELECT pg_advisory_xact_lock(${gate}) OFFSET 0) AS gate)`), values);
};

const turnIn = (tx: Transaction, status: WantedStatus, at: Date): Promise<unknown> => updateEndpoint(Object.assign(tx, { now: at }), endpoint.id, { status });
const setStatus = (status: WantedStatus, at: Date): Promise<unknown> => transact(api.api.domain, { institutionId: institution.id, now: at }, (tx) => updateEndpoint(tx, endpoint.id, { status }));

let deliveryId = '';
async function seedOne(status: 'held' | 'pending'): Promise<void> {
  deliveryId = `whd_${institution.id}00`;
  await sql(
    `INSERT INTO open_deliveries (id, institution_id, endpoint_id, event_id, event_type, event_created_at, status, held_at, deadline_at, created_at)
     VALUES ($1, $2, $3, 'evt_' || $2, 'exam.graded', $4, $5, CASE $5 WHEN 'held' THEN $4::timestamptz END, $4::timestamptz + interval '12 hours', $4)`,
    [deliveryId, institution.id, endpoint.id, created, status],
  );
}

/** The first rest is over and in no deadline yet, as after a resume of more deliveries than a command moves. */
async function appendFirstPause(circuit: 'open' | 'closed'): Promise<void> {
  await sql(
    `UPDATE webhook_endpoints SET rest_began_at = $2, rest_ended_at = $3, circuit = $4, circuit_opened_at = CASE $4 WHEN 'open' THEN $2::timestamptz END,
            probe_at = CASE $4 WHEN 'open' THEN $3::timestamptz END WHERE id = $1`,
    [endpoint.id, pauses.first.began, pauses.first.ended, circuit],
  );
}

/** Hours from now to the stored deadline, to a hundredth. */
async function hoursLeft(): Promise<number | undefined> {
  const [row] = await sql<{ hours: number }>('SELECT round(extract(epoch FROM deadline_at - $2::timestamptz) / 36)::float8 / 100 AS hours FROM deliveries WHERE id = $1', [deliveryId, now]);
  return row?.hours;
}

/** Changes the endpoint while `begun` has begun and waits for the change to be committed. */
async function turningWhile<Result>(changes: (tx: Transaction) => Promise<unknown>, begun: () => Promise<Result>): Promise<Result> {
  const claim = await transact(api.api.domain, { institutionId: institution.id, now }, async (tx) => {
    await changes(tx);
    const [own] = await tx.sql<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const result = begun();
    await eventually('a statement that waits', async () => (await sql<{ pid: number }>("SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND $1 = ANY (pg_blocking_pids(pid))", [own?.pid])).length > 0);
    return { result };
  });
  return claim.result;
}

beforeEach(async () => {
  await sql('UPDATE webhook_endpoints SET created_at = $2 WHERE id = $1', [endpoint.id, created]);
});

it('an attempt that is asked for while a resume is committed has its whole window', async () => {
  await setStatus('paused', pauses.first.began);
  await sql("UPDATE webhook_endpoints SET circuit = 'open', circuit_opened_at = $2, probe_at = $3 WHERE id = $1", [endpoint.id, pauses.first.began, now]);
  await seedOne('held');
  const claim = { institutionId: institution.id, deliveryId, claimedBy: 'w', now, statuses: ['held', 'retrying'] as const, windowMs: window, attempts: 0 };
  const claimed = await turningWhile((tx) => turnIn(tx, 'active', now), () => claimDelivery(api.api.domain.database.sql, claim));
  expect(claimed?.deadline_at).toEqual(new Date(now.getTime() + window));
  expect(await hoursLeft()).toBe(12);
});

it('so has a probe that waited while its endpoint was paused and resumed', async () => {
  await seedOne('held');
  await appendFirstPause('open');
  const probe = { now: new Date(now.getTime() + 1_000), nextProbeAt: new Date(now.getTime() + hour), claimedBy: 'w', windowMs: window };
  const claimed = await turningWhile(
    async (tx) => {
      await turnIn(tx, 'paused', pauses.second.began);
      await turnIn(tx, 'active', pauses.second.ended);
    },
    () => claimProbe(api.api.domain.database.sql, endpoint.id, probe),
  );
  expect(claimed?.deadline_at).toEqual(new Date(probe.now.getTime() + window));
  expect(await hoursLeft()).toBe(12);
});

it('a delivery whose endpoint was paused and resumed since the claim began is claimed by the next one', async () => {
  await seedOne('pending');
  await appendFirstPause('closed');
  const room = new Map([[endpoint.id, 5]]);
  const claim = (by: Sql) => claimPendingDeliveries(by, room, 'a sender', window);
  const first = await withLockedRows(api, 'SELECT pg_advisory_xact_lock($1)', [gate], async (held) => {
    const claiming = claim(gated("status = 'pending' AND claimed_by IS NULL"));
    await held.waitForBlocked();
    await setStatus('paused', pauses.second.began);
    await setStatus('active', pauses.second.ended);
    await held.release();
    return { claimed: await claiming };
  });
  const claimed = [...first.claimed, ...(await claim(api.api.domain.database.sql))];
  expect(claimed.map(({ id }) => id)).toEqual([deliveryId]);
  const left = (await hoursLeft()) ?? 0;
  expect(left).toBeGreaterThanOrEqual(12);
  expect(left).toBeLessThan(12.1);
});

it('a pause that two statements have begun to add is added once, though another has ended meanwhile', async () => {
  await seedOne('held');
  await appendFirstPause('open');
  await withLockedRows(api, 'SELECT pg_advisory_xact_lock($1)', [gate], async (held) => {
    const adding = addPendingClockPauses(gated('d.event_created_at > $2'));
    await held.waitForBlocked();
    await setStatus('paused', pauses.second.began);
    await setStatus('active', pauses.second.ended);
    await held.release();
    await adding;
  });
  await addPendingClockPauses(api.api.domain.database.sql);
  // 25 hours ago, and 12 for the window, 20 and 2 of rest.
  expect(await hoursLeft()).toBe(-25 + 12 + 20 + 2);
  await moveDeliveries(api.api.domain.database.sql, 'overdue', endpoint.id, now);
  expect(await sql("SELECT 1 FROM deliveries WHERE id = $1 AND status = 'held'", [deliveryId])).toHaveLength(1);
});
