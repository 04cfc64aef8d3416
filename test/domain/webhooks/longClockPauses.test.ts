import { addPendingClockPauses } from '../../../db/repositories/webhooks/clockPauses';
import { claimDelivery, readDeliveryState } from '../../../db/repositories/webhooks/retries';
import { claimPendingDeliveries, releaseLapsedClaims } from '../../../db/repositories/webhooks/sending';
import { moveDeliveries } from '../../../db/repositories/webhooks/backlog';
import { transact } from '../../../domain/transact';
import { updateEndpoint, type WantedStatus } from '../../../domain/webhooks/updateEndpoint';
import { apiFixture } from '../../support/apiFixture';
import { endpointForEachTest } from '../../support/seed/endpoints';

const hour = 3_600_000;
const window = 12 * hour;
const fixture = apiFixture();
const { api, institution, sql } = fixture;
const endpoint = endpointForEachTest(fixture);
const count = 5_300;
/** A pause of six hours, which has begun seven hours after the deliveries were created. */
const end = new Date();
const begun = new Date(end.getTime() - 6 * hour);
const created = new Date(begun.getTime() - 7 * hour);

const setStatus = (status: WantedStatus, now: Date): Promise<unknown> => transact(api.api.domain, { institutionId: institution.id, now }, (tx) => updateEndpoint(tx, endpoint.id, { status }));

async function seedHeld(first = 1, last = count): Promise<void> {
  await sql(
    `INSERT INTO open_deliveries (id, institution_id, endpoint_id, event_id, event_type, event_created_at, status, held_at, deadline_at, created_at)
     SELECT 'whd_' || $1 || lpad(n::text, 6, '0'), $1, $2, 'evt_' || $1 || n, 'exam.graded', $4::timestamptz + n * interval '1 ms', 'held', $5, $4::timestamptz + interval '12 hours', $4
       FROM generate_series($6::int, $3::int) n`,
    [institution.id, endpoint.id, last, created, begun, first],
  );
}

/** How many open deliveries have which hours between creation and deadline. */
async function windows(): Promise<Record<string, number>> {
  const rows = await sql<{ hours: number; count: number }>(
    `SELECT round(extract(epoch FROM deadline_at - created_at) / 3600)::int AS hours, count(*)::int AS count FROM deliveries
      WHERE endpoint_id = $1 AND status <> 'dead' GROUP BY 1 ORDER BY 1`,
    [endpoint.id],
  );
  return Object.fromEntries(rows.map(({ hours, count: found }) => [hours, found]));
}
const isPausePending = async (): Promise<boolean> => (await sql('SELECT 1 FROM webhook_endpoints WHERE id = $1 AND rest_ended_at IS NOT NULL', [endpoint.id])).length > 0;
const dead = async (): Promise<number> => (await sql("SELECT 1 FROM deliveries WHERE endpoint_id = $1 AND status = 'dead'", [endpoint.id])).length;

beforeEach(async () => {
  await sql('UPDATE webhook_endpoints SET created_at = $2 WHERE id = $1', [endpoint.id, created]);
  await setStatus('paused', begun);
  await seedHeld();
});

it('a resume moves 5,000 deadlines with the command and the others in chunks; until then none of them counts as past', async () => {
  await setStatus('active', end);
  expect(await windows()).toEqual({ 12: count - 5_000, 18: 5_000 });
  expect(await isPausePending()).toBe(true);
  // Their 12 hours without the pause are over: nobody may find so meanwhile.
  await moveDeliveries(api.api.domain.database.sql, 'overdue', endpoint.id, end);
  await releaseLapsedClaims(api.api.domain.database.sql);
  const [last = { id: '' }] = await sql<{ id: string }>('SELECT id FROM deliveries WHERE endpoint_id = $1 ORDER BY id DESC LIMIT 1', [endpoint.id]);
  expect((await readDeliveryState(api.api.domain.database.sql, institution.id, last.id))?.deadline_at).toEqual(new Date(created.getTime() + window + 6 * hour));
  const claimed = await claimDelivery(api.api.domain.database.sql, { institutionId: institution.id, deliveryId: last.id, claimedBy: 'w', now: end, statuses: ['held'], attempts: undefined, windowMs: window });
  expect(claimed?.deadline_at).toEqual(new Date(end.getTime() + window));
  expect(await dead()).toBe(0);

  await Promise.all([addPendingClockPauses(api.api.domain.database.sql), addPendingClockPauses(api.api.domain.database.sql)]);
  await addPendingClockPauses(api.api.domain.database.sql);
  expect(await isPausePending()).toBe(false);
  // The one that was claimed has opened its window at the end of the pause.
  expect(await windows()).toEqual({ 18: count - 1, 25: 1 });
  expect((await readDeliveryState(api.api.domain.database.sql, institution.id, last.id))?.deadline_at).toEqual(new Date(end.getTime() + window));
  expect(await dead()).toBe(0);
});

it('a second pause before the first is in all deadlines adds both, once', async () => {
  await setStatus('active', end);
  await setStatus('paused', new Date(end.getTime() + hour));
  await setStatus('active', new Date(end.getTime() + 3 * hour));
  await addPendingClockPauses(api.api.domain.database.sql);
  expect(await isPausePending()).toBe(false);
  expect(await windows()).toEqual({ 20: count });
});

it('a resume while the one before is still far from all deadlines moves no more than any other; the endpoint stays paused until the first is over', async () => {
  const all = 2 * 5_000 + 400;
  await seedHeld(count + 1, all);
  await setStatus('active', new Date(end.getTime() - 5 * hour));
  await setStatus('paused', new Date(end.getTime() - 4 * hour));
  await setStatus('active', new Date(end.getTime() - 2 * hour));
  expect(await windows()).toEqual({ 12: 400, 13: all - 400 });
  // Its deliveries go out meanwhile, with deadlines that hold.
  const claimed = await claimPendingDeliveries(api.api.domain.database.sql, new Map([[endpoint.id, 1]]), 'a sender', window);
  expect(claimed).toHaveLength(1);
  for (const { deadline_at, claimed_at } of claimed) expect(Math.abs(deadline_at.getTime() - claimed_at.getTime() - window)).toBeLessThan(1_000);
  await moveDeliveries(api.api.domain.database.sql, 'overdue', endpoint.id, new Date());
  for (let sweep = 0; sweep < 2; sweep += 1) await addPendingClockPauses(api.api.domain.database.sql);
  expect(await isPausePending()).toBe(false);
  expect(await sql('SELECT 1 FROM webhook_endpoints WHERE id = $1 AND resting_since IS NULL', [endpoint.id])).toHaveLength(1);
  expect(await windows()).toEqual({ 17: all - 1, 25: 1 });
  expect(await dead()).toBe(0);
});

it('a delivery that somebody holds is moved the next time', async () => {
  await transact(api.api.domain, institution.caller, async (tx) => {
    await tx.sql('SELECT 1 FROM open_deliveries WHERE endpoint_id = $1 ORDER BY id DESC LIMIT 3 FOR NO KEY UPDATE', [endpoint.id]);
    await setStatus('active', end);
    await addPendingClockPauses(api.api.domain.database.sql);
    expect(await windows()).toEqual({ 12: 3, 18: count - 3 });
    expect(await isPausePending()).toBe(true);
  });
  await addPendingClockPauses(api.api.domain.database.sql);
  expect(await windows()).toEqual({ 18: count });
  expect(await isPausePending()).toBe(false);
});

it('its first chunk of deliveries goes out with deadlines that hold, the rest with it', async () => {
  await setStatus('active', end);
  const claimed = await claimPendingDeliveries(api.api.domain.database.sql, new Map([[endpoint.id, 64]]), 'a sender', window);
  expect(claimed).toHaveLength(64);
  for (const { deadline_at, claimed_at } of claimed) expect(Math.abs(deadline_at.getTime() - claimed_at.getTime() - window)).toBeLessThan(1_000);
});
