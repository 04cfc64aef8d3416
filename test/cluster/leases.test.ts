import { openDatabase, type Database } from '../../db/database';
import { claimPendingDeliveries, releaseLapsedClaims } from '../../db/repositories/webhooks/sending';
import { deliveryWindowMs } from '../../domain/webhooks/retrySchedule';
import { apiFixture } from '../support/apiFixture';
import { changeDeliveries } from '../support/deliveries';
import { seedDelivery } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { countEarlyLeases, unwatchLeases, watchLeases } from './leases';

const { api, institution, sql } = apiFixture();
const second = 1_000;

let owner: Database;

beforeAll(async () => {
  owner = await openDatabase(api.stack.ownerDatabaseUrl, 1, () => undefined);
  await watchLeases(owner.sql);
});

afterAll(async () => {
  await unwatchLeases(owner.sql);
  await owner.close();
});

const noted = (): Promise<number> => countEarlyLeases(owner.sql, new Date(0));
const claimedUntil = async (ms: number): Promise<string> => {
  const endpointId = await seedEndpoint(api, institution, 'https://receiver.example/');
  return seedDelivery(api, institution, endpointId, { claimedBy: 'one worker', claimedUntil: new Date(Date.now() + ms) });
};

it('a claim that is released once its lease has ended, and taken by another worker, is not early', async () => {
  const endpointId = await seedEndpoint(api, institution, 'https://receiver.example/');
  const id = await seedDelivery(api, institution, endpointId, { claimedBy: 'one worker', claimedUntil: new Date(Date.now() - second) });
  await releaseLapsedClaims(api.api.domain.database.sql);
  await claimPendingDeliveries(api.api.domain.database.sql, new Map([[endpointId, 1]]), 'another', deliveryWindowMs);
  expect(await sql('SELECT claimed_by FROM open_deliveries WHERE id = $1', [id])).toEqual([{ claimed_by: 'another' }]);
  expect(await noted()).toBe(0);
});

it('the worker whose claim it is may end it at any time, by the attempt or by a claim again', async () => {
  await changeDeliveries(sql, "SET claimed_until = now() + interval '40 s' WHERE id = $1", [await claimedUntil(20 * second)]);
  await changeDeliveries(sql, "SET status = 'retrying', attempts = 1, claimed_by = NULL, claimed_until = NULL WHERE id = $1", [await claimedUntil(20 * second)]);
  expect(await noted()).toBe(0);
});

it.each([
  ['taken by another worker', "claimed_by = 'another'"],
  ['released without an attempt', 'claimed_by = NULL, claimed_until = NULL'],
])('a claim that is %s before its lease has ended is early', async (_what, assignment) => {
  const before = await noted();
  await changeDeliveries(sql, `SET ${assignment} WHERE id = $1`, [await claimedUntil(20 * second)]);
  expect(await noted()).toBe(before + 1);
});
