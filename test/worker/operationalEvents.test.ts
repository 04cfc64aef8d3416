import { fanOutEvents } from '../../db/repositories/webhooks/fanOut';
import { isOperational } from '../../domain/events/eventTypes';
import { eventPatterns, eventTypesMatching } from '../../domain/events/patterns';
import { deliveryWindowMs } from '../../domain/webhooks/retrySchedule';
import { reconcileDeliveries } from '../../domain/webhooks/reconcileDeliveries';
import { transact } from '../../domain/transact';
import { apiFixture } from '../support/apiFixture';
import { changeDeliveries, deliveriesOf } from '../support/deliveries';
import { eventsOf } from '../support/events';
import { seedDelivery } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';

const url = 'https://receiver.example/';
const { api, institution, sql } = apiFixture();

const fanOut = () => fanOutEvents(api.api.domain.database.sql, 500, deliveryWindowMs);

/** Emits an operational event and one of the institution. */
const emit = () =>
  transact(api.api.domain, institution.caller, (tx) => {
    tx.emit('endpoint.disabled', { endpoint_id: 'we_1', reason: 'gone', failing_since: null });
    tx.emit('student.email_mapped', { student_id: 'stu_1' });
    return Promise.resolve();
  });

const typesTo = async (endpointId: string): Promise<string[]> =>
  (await sql<{ event_type: string }>('SELECT event_type FROM deliveries WHERE endpoint_id = $1 ORDER BY event_created_at', [endpointId])).map(({ event_type }) => event_type);

it.each([
  [['*'], ['student.email_mapped']],
  [['endpoint.*'], ['endpoint.disabled']],
  [['endpoint.disabled'], ['endpoint.disabled']],
  [['endpoint.failing'], []],
  [['*', 'endpoint.*'], ['endpoint.disabled', 'student.email_mapped']],
])('the subscription %j gets operational events only where it names them', async (events, types) => {
  const id = await seedEndpoint(api, institution, url, { events });
  await emit();
  await fanOut();
  expect(await typesTo(id)).toEqual(types);
});

it('the fan-out, the feed and the patterns agree on which types are operational', async () => {
  const operational = ['endpoint.failing', 'endpoint.recovered', 'endpoint.disabled'];
  const { data } = await api.call('GET', '/events/types', { key: institution.apiKey });
  const items: { type: string; operational: boolean }[] = data.items;
  expect(items.filter((item) => item.operational).map(({ type }) => type)).toEqual(operational);
  expect(eventTypesMatching('endpoint.*')).toEqual(operational);
  expect(eventTypesMatching('*').filter(isOperational)).toEqual([]);
  expect(eventPatterns).toContain('endpoint.*');
});

it('GET /events lists operational events only where type names them', async () => {
  await emit();
  const typesOf = async (type?: string): Promise<string[]> => {
    const { data } = await api.call('GET', '/events', { key: institution.apiKey, query: type === undefined ? {} : { type } });
    return data.items.map((event: { type: string }) => event.type).filter((found: string) => isOperational(found) || found === 'student.email_mapped');
  };
  expect([await typesOf(), await typesOf('*')]).toEqual([['student.email_mapped'], ['student.email_mapped']]);
  expect([await typesOf('endpoint.*'), await typesOf('endpoint.disabled'), await typesOf('endpoint.failing')]).toEqual([['endpoint.disabled'], ['endpoint.disabled'], []]);
});

it('a pruned operational event does not end the feed of those who never get it', async () => {
  await sql("INSERT INTO pruned_events (institution_id, type, pruned_until) VALUES ($1, 'endpoint.failing', now())", [institution.id]);
  const since = new Date(Date.now() - 60_000).toISOString();
  const statusOf = async (query: Record<string, string>): Promise<number> => (await api.call('GET', '/events', { key: institution.apiKey, query: { since, ...query } })).status;
  expect([await statusOf({}), await statusOf({ type: '*' }), await statusOf({ type: 'endpoint.*' })]).toEqual([200, 200, 410]);
});

it('an endpoint that fails and is subscribed to its own warnings gets one of them at a time, and its failures cause no more', async () => {
  const hour = 3_600_000;
  const now = new Date();
  const id = await seedEndpoint(api, institution, url, { events: ['endpoint.*'], failingSince: new Date(now.getTime() - 40 * hour), consecutiveFailures: 15 });
  const deliveryId = await seedDelivery(api, institution, id, { status: 'delivered' });
  await sql(
    `INSERT INTO webhook_attempts (delivery_id, number, institution_id, endpoint_id, cycle, started_at, duration_ms, error_class)
     SELECT $1, n, $2, $3, 1, now() - n * interval '1 minute', 5, 'http' FROM generate_series(1, 10) n`,
    [deliveryId, institution.id, id],
  );
  for (let sweeps = 0; sweeps < 3; sweeps += 1) {
    await reconcileDeliveries(api.api.domain, now);
    await fanOut();
    await changeDeliveries(sql, "SET status = 'dead' WHERE endpoint_id = $1 AND status = 'pending'", [id]);
  }
  expect((await eventsOf(api, institution)).map(({ type }) => type).filter(isOperational)).toEqual(['endpoint.failing']);
  expect((await deliveriesOf(api, id)).size).toBe(2);
});
