import type { DeliveryStatus } from '../../../db/repositories/webhooks/deliveryStatus';
import { newId } from '../../../domain/ids';
import { deliveryChunk, institutionsWithOldDeliveries, pruneOldDeliveries } from '../../../domain/retention/pruneOldDeliveries';
import { transact } from '../../../domain/transact';
import { systemCaller } from '../../support/api';
import { apiFixture } from '../../support/apiFixture';
import { deliveriesOf } from '../../support/deliveries';
import { seedDelivery, seedDeliveryAttempts } from '../../support/seed/deliveries';
import { seedEndpoint, endpointForEachTest } from '../../support/seed/endpoints';
import { daysBefore } from '../../support/time';

const now = new Date('2026-11-20T09:30:00.000Z');
const old = daysBefore(now, 97);

const fixture = apiFixture();
const { api, institution, sql } = fixture;
const endpoint = endpointForEachTest(fixture);

const retain = (after: Parameters<typeof pruneOldDeliveries>[1] = null) =>
  transact(api.api.domain, systemCaller(institution.id, now), (tx) => pruneOldDeliveries(tx, after));
const seed = (status: DeliveryStatus, createdAt = old) => endpoint.seedDelivery({ status, createdAt });
const keptIds = async () => [...(await deliveriesOf(api, endpoint.id)).keys()];
const attemptsOf = async (id: string) => (await sql('SELECT 1 FROM webhook_attempts WHERE delivery_id = $1', [id])).length;

it('keeps an ended delivery and its attempts for 90 days, and to the end of its week', async () => {
  // The week of the day that is 90 days old: from its Monday.
  const at = new Date('2026-08-17T00:00:00.000Z');
  const gone = await seed('delivered', new Date(at.getTime() - 1));
  const stays = await seed('delivered', at);
  for (const id of [gone, stays]) await seedDeliveryAttempts(api, id, 2);
  expect(await retain()).toEqual({ removed: 1, kept: 0, next: null });
  expect(await keptIds()).toEqual([stays]);
  expect([await attemptsOf(gone), await attemptsOf(stays)]).toEqual([0, 2]);
});

it.each<DeliveryStatus>(['delivered', 'dead', 'cancelled'])('deletes an old one that is %s with its attempts and replays', async (status) => {
  const id = await seed(status);
  await seedDeliveryAttempts(api, id, 12);
  await sql('INSERT INTO webhook_replays (institution_id, delivery_id, ref, cycle, created_at) VALUES ($1, $2, $3, 2, $4)', [institution.id, id, newId('req'), old]);
  expect(await retain()).toMatchObject({ removed: 1 });
  expect([await keptIds(), await attemptsOf(id)]).toEqual([[], 0]);
  expect(await sql('SELECT 1 FROM webhook_replays WHERE delivery_id = $1', [id])).toEqual([]);
});

it.each<DeliveryStatus>(['pending', 'retrying', 'held'])('one that is %s stays, at any age', async (status) => {
  const id = await seed(status);
  await seedDeliveryAttempts(api, id, 1);
  expect(await retain()).toEqual({ removed: 0, kept: 0, next: null });
  expect([await keptIds(), await attemptsOf(id)]).toEqual([[id], 1]);
});

it('leaves the deliveries of other institutions alone', async () => {
  const otherInstitution = await api.institution();
  const foreign = await seedEndpoint(api, otherInstitution, 'https://receiver.example/');
  await seedDelivery(api, otherInstitution, foreign, { status: 'dead', createdAt: old });
  await retain();
  expect((await deliveriesOf(api, foreign)).size).toBe(1);
});

it('takes a chunk at a time, those of one millisecond among them', async () => {
  await sql(
    `INSERT INTO webhook_deliveries (id, institution_id, endpoint_id, event_id, event_type, event_created_at, status, created_at)
     SELECT 'whd_' || $1 || n, $1, $2, 'evt_' || $1 || n, 'exam.graded', $4, 'dead', $4 FROM generate_series(1, $3::int) n`,
    [institution.id, endpoint.id, deliveryChunk + 7, old],
  );
  const first = await retain();
  expect(first).toMatchObject({ removed: deliveryChunk, next: { createdAtMs: old.getTime() } });
  expect(await retain(first.next)).toEqual({ removed: 7, kept: 0, next: null });
  expect(await keptIds()).toEqual([]);
});

it('finds the institutions that have something to delete', async () => {
  const found = () => institutionsWithOldDeliveries(api.api.domain, now, '', 1_000);
  await seed('held');
  expect(await found()).not.toContain(institution.id);
  await seed('delivered');
  expect(await found()).toContain(institution.id);
});
