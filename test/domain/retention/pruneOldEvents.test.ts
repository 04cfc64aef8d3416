import { Client } from 'pg';
import type { DeliveryStatus } from '../../../db/repositories/webhooks/deliveryStatus';
import { eventChunk, institutionsWithOldEvents, pruneOldEvents } from '../../../domain/retention/pruneOldEvents';
import { transact } from '../../../domain/transact';
import { recoverChunk } from '../../../domain/webhooks/recoverChunk';
import { replayDeadChunk } from '../../../domain/webhooks/replayDeadChunk';
import { systemCaller } from '../../support/api';
import { apiFixture } from '../../support/apiFixture';
import { changeDeliveries } from '../../support/deliveries';
import { endpointForEachTest, seedEndpoint } from '../../support/seed/endpoints';
import { eventually } from '../../support/eventually';
import { daysBefore } from '../../support/time';
import { seedEvents } from '../../support/seed/events';

const now = new Date('2026-11-20T09:30:00.000Z');
const old = daysBefore(now, 31);

const fixture = apiFixture();
const { api, institution, sql } = fixture;
const endpoint = endpointForEachTest(fixture);

beforeEach(async () => {
  // What the creation itself appended is of no interest here.
  await sql('DELETE FROM event_queue');
  await sql('DELETE FROM events WHERE institution_id = $1', [institution.id]);
});

const retain = (after: Parameters<typeof pruneOldEvents>[1] = null, at = now) =>
  transact(api.api.domain, systemCaller(institution.id, at), (tx) => pruneOldEvents(tx, after));
const keptIds = async () => (await sql<{ id: string }>('SELECT id FROM events WHERE institution_id = $1 ORDER BY created_at', [institution.id])).map(({ id }) => id);
const prunedUntil = async () =>
  Object.fromEntries(
    (await sql<{ type: string; pruned_until: Date }>('SELECT type, pruned_until FROM pruned_events WHERE institution_id = $1', [institution.id])).map(
      ({ type, pruned_until }) => [type, pruned_until.toISOString()],
    ),
  );
const deliveryOf = (eventId: string, status: DeliveryStatus) => endpoint.seedDelivery({ eventId, status, createdAt: old });
const feed = (query: Record<string, string>) => api.call('GET', '/events', { key: institution.apiKey, query });

it('keeps an event for 30 days and to the end of its day (UTC), to the millisecond', async () => {
  const day = new Date(`${daysBefore(now, 30).toISOString().slice(0, 10)}T00:00:00Z`);
  const [, young] = await seedEvents(api, institution, { createdAt: new Date(day.getTime() - 1), count: 2 });
  expect(await retain()).toEqual({ removed: 1, kept: 0, next: null });
  expect(await keptIds()).toEqual([young]);
});

it('leaves the events of other institutions alone', async () => {
  const otherInstitution = await api.institution();
  const [foreign] = await seedEvents(api, otherInstitution, { createdAt: old });
  await retain();
  expect(await sql('SELECT id FROM events WHERE id = $1', [foreign])).toHaveLength(1);
});

it('keeps up to when events of each type are gone, and never takes it back', async () => {
  await seedEvents(api, institution, { createdAt: old, type: 'exam.graded', count: 3 });
  await seedEvents(api, institution, { createdAt: daysBefore(now, 40), type: 'student.created' });
  const late = new Date('2026-10-21T00:00:00.000Z');
  await sql("INSERT INTO pruned_events (institution_id, type, pruned_until) VALUES ($1, 'student.created', $2)", [institution.id, late]);
  expect(await retain()).toMatchObject({ removed: 4 });
  expect(await prunedUntil()).toEqual({ 'exam.graded': new Date(old.getTime() + 2).toISOString(), 'student.created': late.toISOString() });
});

it('an event that is not fanned out yet stays', async () => {
  const queued = await seedEvents(api, institution, { createdAt: old, queued: true });
  expect(await retain()).toEqual({ removed: 0, kept: 1, next: null });
  expect(await keptIds()).toEqual(queued);
  expect(await prunedUntil()).toEqual({});
});

it.each<DeliveryStatus>(['pending', 'retrying', 'held'])('an event with a %s delivery stays until that has ended', async (status) => {
  const [id = ''] = await seedEvents(api, institution, { createdAt: old });
  const open = await deliveryOf(id, status);
  expect(await retain()).toEqual({ removed: 0, kept: 1, next: null });
  await changeDeliveries(sql, "SET status = 'dead' WHERE id = $1", [open]);
  expect(await retain()).toEqual({ removed: 1, kept: 0, next: null });
});

it.each<DeliveryStatus>(['delivered', 'dead', 'cancelled'])('an event whose delivery is %s goes; the delivery stays without payload and cannot be replayed', async (status) => {
  const [id = ''] = await seedEvents(api, institution, { createdAt: old });
  const delivery = await deliveryOf(id, status);
  expect(await retain()).toMatchObject({ removed: 1 });
  const path = `/webhooks/deliveries/${delivery}`;
  expect((await api.call('GET', path, { key: institution.apiKey })).data).toMatchObject({ status, payload: null });
  const replay = await api.call('POST', `${path}/replay`, { key: institution.apiKey, body: {} });
  expect([replay.status, replay.body.error]).toEqual([410, 'event_pruned']);
});

it('a feed that would have answered a pruned event says so, one of other types or from later goes on', async () => {
  await seedEvents(api, institution, { createdAt: old, type: 'exam.graded' });
  const [young] = await seedEvents(api, institution, { createdAt: daysBefore(now, 1), type: 'student.created' });
  await retain();
  const before = new Date(old.getTime() - 1).toISOString();
  expect((await feed({ since: before })).body.error).toBe('event_pruned');
  expect((await feed({ since: before, type: 'exam.*' })).body.error).toBe('event_pruned');
  const ids = async (query: Record<string, string>) => (await feed(query)).data.items.map((event: { id: string }) => event.id);
  expect(await ids({ since: before, type: 'student.created' })).toEqual([young]);
  expect(await ids({ since: old.toISOString() })).toEqual([young]);
  expect(await ids({})).toEqual([young]);
});

it('goes on behind what it has looked at, though that had to stay', async () => {
  const queued = await seedEvents(api, institution, { createdAt: daysBefore(now, 60), count: 3, queued: true });
  await seedEvents(api, institution, { createdAt: old, count: eventChunk });
  const first = await retain();
  expect(first).toMatchObject({ removed: eventChunk - 3, kept: 3 });
  expect(await retain(first.next)).toEqual({ removed: 3, kept: 0, next: null });
  expect(await keptIds()).toEqual(queued);
});

it('two at once prune each event once, and neither waits for the other', async () => {
  await seedEvents(api, institution, { createdAt: old, count: 2_000 });
  const steps = await Promise.all([retain(), retain()]);
  expect(steps.reduce((sum, { removed }) => sum + removed, 0)).toBe(2_000);
  expect(await keptIds()).toEqual([]);
});

it('finds the institutions that have something to prune, by id', async () => {
  const [otherInstitution, west] = [await api.institution(), await api.institution()];
  await seedEvents(api, west, { createdAt: old });
  await seedEvents(api, institution, { createdAt: old });
  const found = (afterId: string) => institutionsWithOldEvents(api.api.domain, now, afterId, 100);
  const all = await found('');
  expect(all).toEqual(expect.arrayContaining([institution.id, west.id]));
  expect(all).not.toContain(otherInstitution.id);
  expect(all).toEqual([...all].sort());
  expect(await found(all.at(-2) ?? '')).toEqual(all.slice(-1));
});

describe('a replay at the same time', () => {
  let other: Client;
  let eventId: string;
  let deliveryId: string;

  beforeEach(async () => {
    [eventId = ''] = await seedEvents(api, institution, { createdAt: old });
    deliveryId = await deliveryOf(eventId, 'dead');
    other = new Client({ connectionString: api.stack.ownerDatabaseUrl });
    await other.connect();
    await other.query('BEGIN');
  });

  afterEach(() => other.end());

  /** The other transaction prunes the event and commits once somebody waits for it. */
  async function pruneWhile<Result>(replay: () => Promise<Result>): Promise<Result> {
    await other.query('DELETE FROM events WHERE id = $1', [eventId]);
    const { rows } = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const waiting = replay();
    await eventually('the replay waits', async () => (await sql('SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))', [rows[0]?.pid])).length > 0);
    await other.query('COMMIT');
    return waiting;
  }
  const status = async () => (await sql<{ status: string }>('SELECT status FROM deliveries WHERE id = $1', [deliveryId]))[0]?.status;

  it('that came first has its event kept', async () => {
    await other.query('SELECT 1 FROM events WHERE id = $1 FOR KEY SHARE', [eventId]);
    expect(await retain()).toMatchObject({ removed: 0 });
    await other.query('COMMIT');
    expect(await keptIds()).toEqual([eventId]);
  });

  it('that comes after finds the event gone, and the delivery stays as it is', async () => {
    const { body } = await pruneWhile(() => api.call('POST', `/webhooks/deliveries/${deliveryId}/replay`, { key: institution.apiKey, body: {} }));
    expect([body.error, await status()]).toEqual(['event_pruned', 'dead']);
  });

  it('of all dead deliveries that comes after passes over this one', async () => {
    const range = { endpointId: endpoint.id, since: daysBefore(old, 1), until: now };
    const replayed = await pruneWhile(() =>
      transact(api.api.domain, systemCaller(institution.id), (tx) => replayDeadChunk(tx, 'bulk', range, { createdAt: range.since, id: '' })),
    );
    expect([replayed.replayed, await status()]).toEqual([0, 'dead']);
  });

  it('of another endpoint that recovers it comes too late, and writes no delivery', async () => {
    const fresh = await seedEndpoint(api, institution, 'https://hooks.example.org/fresh', { events: ['*'] });
    const range = { endpointId: fresh, until: now, eventTypes: undefined };
    const recovered = await pruneWhile(() =>
      transact(api.api.domain, systemCaller(institution.id), (tx) => recoverChunk(tx, 'rcv', range, daysBefore(old, 1), 0)),
    );
    expect(recovered.recovered).toBe(0);
    expect(await sql('SELECT id FROM deliveries WHERE event_id = $1 AND endpoint_id = $2', [eventId, fresh])).toEqual([]);
  });
});
