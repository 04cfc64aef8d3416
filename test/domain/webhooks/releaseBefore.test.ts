import { institutionScope } from '../../../db/database';
import { openGenericPlanPool, type GenericPlanPool } from '../../../db/genericPlanPool';
import { settingsSource } from '../../../db/sessionSettings';
import { recordSuccesses } from '../../../db/repositories/webhooks/attempts';
import { findDelivery } from '../../../db/repositories/webhooks/deliveries';
import { fanOutEvents } from '../../../db/repositories/webhooks/fanOut';
import { claimPendingDeliveries } from '../../../db/repositories/webhooks/sending';
import { apiFixture } from '../../support/apiFixture';
import { attemptOf, placedDeliveries } from '../../support/deliveryTables';
import * as release0170 from '../../support/release0170/deliveries';
import { endpointForEachTest } from '../../support/seed/endpoints';
import { seedEvents } from '../../support/seed/events';

const window = 12 * 3_600_000;
const fixture = apiFixture();
const { api, institution, sql } = fixture;
const endpoint = endpointForEachTest(fixture);
let pool: GenericPlanPool;

beforeAll(() => {
  pool = openGenericPlanPool(api.settings.databaseUrl, 2, () => undefined, settingsSource(api.settings));
});

afterAll(() => pool.close());

const scope = () => institutionScope(api.api.domain.database, institution.id);
const placed = () => placedDeliveries(pool.sql, institution.id);

async function seedQueuedEvents(count: number): Promise<void> {
  await sql('DELETE FROM event_queue');
  await seedEvents(api, institution, { createdAt: new Date(Date.now() + 1_000), type: 'student.created', count, queued: true });
}

const claim = (limit = 100) => claimPendingDeliveries(pool.sql, new Map([[endpoint.id, limit]]), 'new', window);
const oldClaim = (limit = 100) => release0170.claim(pool.sql, endpoint.id, limit, 'old');

it('0.17.0 claims and ends what this release has fanned out, and cancels it', async () => {
  await seedQueuedEvents(3);
  await fanOutEvents(pool.sql, 500, window);
  const deliveries = await oldClaim(2);
  expect(deliveries).toHaveLength(2);
  await release0170.succeed(pool.sql, deliveries, 'old');
  const [open] = (await placed()).filter(({ status }) => status === 'pending');
  if (open === undefined) throw new Error('One is left');
  expect(await release0170.cancel(pool.sql, institution.id, open.id, 1)).toEqual([{ id: open.id }]);
  expect((await placed()).map(({ status, place }) => `${status} in ${place}`).sort()).toEqual(['cancelled in webhook_deliveries', 'delivered in webhook_deliveries', 'delivered in webhook_deliveries']);
});

it('this release claims and ends what 0.17.0 has fanned out, and what it replays', async () => {
  await seedQueuedEvents(2);
  await release0170.fanOut(pool.sql);
  const [one, two] = await claim();
  if (one === undefined || two === undefined) throw new Error('Two deliveries are claimed');
  await recordSuccesses(pool.sql, [attemptOf(one, 'delivered'), attemptOf(two, 'delivered')], 'new');
  await release0170.replay(pool.sql, institution.id, one.id);
  const again = await claim();
  expect(again).toMatchObject([{ id: one.id, cycle: 2, attempts: 1 }]);
  await recordSuccesses(pool.sql, again.map((delivery) => attemptOf(delivery, 'delivered')), 'new');
  expect(await placed()).toMatchObject([{ status: 'delivered', place: 'webhook_deliveries' }, { status: 'delivered', place: 'webhook_deliveries' }]);
  expect(await findDelivery(scope(), one.id)).toMatchObject({ attempts: 2 });
});

it('each claims nothing that the other is sending, and releases the claims of a dead process of the other', async () => {
  await seedQueuedEvents(4);
  await fanOutEvents(pool.sql, 500, window);
  const mine = await claim(2);
  const theirs = await oldClaim();
  expect([mine.length, theirs.length]).toEqual([2, 2]);
  expect(new Set([...mine, ...theirs].map(({ id }) => id)).size).toBe(4);
  await sql("UPDATE open_deliveries SET claimed_until = now() - interval '1 second' WHERE id = ANY ($1)", [mine.map(({ id }) => id)]);
  await release0170.releaseLapsed(pool.sql);
  expect((await oldClaim()).map(({ id }) => id).sort()).toEqual(mine.map(({ id }) => id).sort());
});

it('0.17.0 holds and releases what waits', async () => {
  await seedQueuedEvents(2);
  await fanOutEvents(pool.sql, 500, window);
  await sql("UPDATE webhook_endpoints SET status = 'paused' WHERE id = $1", [endpoint.id]);
  expect(await release0170.move(pool.sql, 'hold', endpoint.id)).toHaveLength(2);
  await sql("UPDATE webhook_endpoints SET status = 'active' WHERE id = $1", [endpoint.id]);
  expect(await release0170.move(pool.sql, 'release', endpoint.id)).toHaveLength(2);
  expect(await claim()).toHaveLength(2);
});
