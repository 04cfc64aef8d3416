import type { EndpointEntity } from '../../../db/entities/endpoint';
import { updateLastSuccesses } from '../../../db/repositories/webhooks/attempts';
import { findEndpointsToWarn, findWarnedNoLonger } from '../../../db/repositories/webhooks/endpointWarnings';
import { attemptsToDisable, disableAfterMs, disableFailingEndpoint, disableGoneEndpoint } from '../../../domain/webhooks/disableEndpoint';
import { reconcileDeliveries } from '../../../domain/webhooks/reconcileDeliveries';
import { apiFixture } from '../../support/apiFixture';
import { eventsDuring, type AppendedEvent } from '../../support/events';
import { seedDelivery } from '../../support/seed/deliveries';
import { seedEndpoint } from '../../support/seed/endpoints';

const hour = 3_600_000;
const now = new Date();
const ago = (ms: number): Date => new Date(now.getTime() - ms);

const { api, institution, sql } = apiFixture();

const sweep = (at = now): Promise<void> => reconcileDeliveries(api.api.domain, at);
const eventsOf = (work: () => Promise<unknown>): Promise<AppendedEvent[]> => eventsDuring(api, institution, work);
const typesOf = async (work: () => Promise<unknown>): Promise<string[]> => (await eventsOf(work)).map(({ type }) => type);
const success = (id: string, at: Date) => updateLastSuccesses(api.api.domain.database.sql, [{ endpoint_id: id, ended_at: at }], 0);

/** An endpoint that has failed for this part of the 72 hours, with this many attempts within the last day. */
async function failingEndpoint(percent: number, { attempts = 10, ...fields }: Partial<EndpointEntity> & { attempts?: number } = {}): Promise<string> {
  const id = await seedEndpoint(api, institution, 'https://receiver.example/', { failingSince: ago(percent * 0.72 * hour), consecutiveFailures: 20, ...fields });
  const deliveryId = await seedDelivery(api, institution, id, { status: 'delivered' });
  await sql(
    `INSERT INTO webhook_attempts (delivery_id, number, institution_id, endpoint_id, cycle, started_at, duration_ms, response_code, error_class)
     SELECT $1, n, $2, $3, 1, $4::timestamptz - n * interval '1 minute', 5, 503, 'http' FROM generate_series(1, $5::int) n`,
    [deliveryId, institution.id, id, now, attempts],
  );
  return id;
}

/** The notices in the outbox about an endpoint, oldest first. */
async function noticesOf(id: string): Promise<object[]> {
  const rows = await sql<{ argument: object }>("SELECT argument FROM owed_workflows WHERE name = 'endpointHealthNotice' AND argument ->> 'endpointId' = $1 ORDER BY seq", [id]);
  return rows.map(({ argument }) => argument);
}

it.each([
  [49, undefined],
  [51, 50],
  [71, 70],
  [91, 90],
])('an endpoint that has failed for %s %% of the time to its disabling is warned of at %s %%, by one event and one email', async (failed, percent) => {
  const id = await failingEndpoint(failed);
  const events = await eventsOf(sweep);
  if (percent === undefined) {
    expect([events, await noticesOf(id)]).toEqual([[], []]);
    return;
  }
  const since = failed * 0.72 * hour;
  const data = {
    endpoint_id: id, percent, failing_since: ago(since).toISOString(), disable_at: ago(since - 72 * hour).toISOString(),
    consecutive_failures: 20, response_code: 503, error_class: 'http',
  };
  expect(events).toEqual([{ type: 'endpoint.failing', data }]);
  expect(await noticesOf(id)).toEqual([{ kind: 'failing', endpointId: id, institutionId: institution.id, percent, failingSinceMs: ago(since).getTime(), atMs: ago(since - 72 * hour).getTime() }]);
});

it('a warning names the first failure, which pauses do not move, and when the endpoint is disabled, which they do', async () => {
  const began = ago(60 * hour);
  const since = 51 * 0.72 * hour;
  const id = await failingEndpoint(51, { firstFailedAt: began, movedFailingSince: ago(since) });
  const [event] = await eventsOf(sweep);
  expect(event?.data).toMatchObject({ endpoint_id: id, percent: 50, failing_since: began.toISOString(), disable_at: ago(since - 72 * hour).toISOString() });
});

it('a run warns of a bounded number of endpoints, those that have failed for longest first, and the next run of the rest', async () => {
  const { sql: run } = api.api.domain.database;
  const due = async (limit: number) => (await findEndpointsToWarn(run, now, { disableAfterMs, ...attemptsToDisable, limit })).map(({ id }) => id);
  const noLonger = async (limit: number) => (await findWarnedNoLonger(run, limit)).map(({ id }) => id);
  await sql('UPDATE webhook_endpoints SET failing_since = NULL, warned_percent = NULL');
  const [first, second, third] = [await failingEndpoint(60), await failingEndpoint(56), await failingEndpoint(52)];
  expect(await due(2)).toEqual([first, second]);
  await sql('UPDATE webhook_endpoints SET warned_percent = 50, warned_failing_since = failing_since WHERE id = ANY ($1)', [[first, second]]);
  expect(await due(2)).toEqual([third]);
  await sql('UPDATE webhook_endpoints SET failing_since = NULL WHERE id = ANY ($1)', [[first, second]]);
  expect(await noLonger(1)).toEqual([first]);
  await sql('UPDATE webhook_endpoints SET warned_percent = NULL, warned_failing_since = NULL WHERE id = $1', [first]);
  expect(await noLonger(1)).toEqual([second]);
});

it('each threshold is warned of once in a period of failures', async () => {
  await failingEndpoint(51);
  const percents: unknown[] = [];
  for (const hoursLater of [0, 1, 14, 15, 16, 29, 30]) {
    for (const { data } of await eventsOf(() => sweep(new Date(now.getTime() + hoursLater * hour)))) percents.push('percent' in data ? data.percent : undefined);
    // Still attempted.
    await sql('UPDATE webhook_attempts SET started_at = started_at + $1 * interval \'1 hour\' WHERE institution_id = $2', [hoursLater === 1 ? 14 : 0, institution.id]);
  }
  expect(percents).toEqual([50, 70, 90]);
});

it('two workers that sweep at the same time warn once', async () => {
  const id = await failingEndpoint(71);
  expect(await typesOf(() => Promise.all([sweep(), sweep(), sweep(), sweep()]))).toEqual(['endpoint.failing']);
  expect(await noticesOf(id)).toHaveLength(1);
});

it.each([
  ['has too few attempts to be disabled', { attempts: 9 }],
  ['is paused', { status: 'paused', pausedAt: ago(hour) }],
  ['is disabled', { status: 'disabled' }],
  ['is deleted', { deletedAt: ago(hour) }],
] as const)('an endpoint that %s is not warned of', async (_what, fields) => {
  await failingEndpoint(71, fields);
  expect(await typesOf(sweep)).toEqual([]);
});

it('a recovery after a warning is reported once, with when it was, and the next failures are warned of again', async () => {
  const id = await failingEndpoint(71, { lastSuccessAt: ago(80 * hour) });
  await sweep();
  const recoveredAt = new Date(now.getTime() + 5_000);
  await success(id, recoveredAt);
  const later = new Date(now.getTime() + 60_000);
  const events = await eventsOf(() => Promise.all([sweep(later), sweep(later)]));
  const since = ago(71 * 0.72 * hour);
  expect(events).toEqual([{ type: 'endpoint.recovered', data: { endpoint_id: id, percent: 70, failing_since: since.toISOString(), recovered_at: recoveredAt.toISOString() } }]);
  expect((await noticesOf(id)).at(-1)).toEqual({ kind: 'recovered', endpointId: id, institutionId: institution.id, percent: 70, failingSinceMs: since.getTime(), atMs: recoveredAt.getTime() });
  expect(await typesOf(() => sweep(later))).toEqual([]);
  await sql('UPDATE webhook_endpoints SET failing_since = $2 WHERE id = $1', [id, ago(40 * hour)]);
  expect(await eventsOf(sweep)).toMatchObject([{ type: 'endpoint.failing', data: { percent: 50 } }]);
});

it('a recovery without a warning is not reported', async () => {
  const id = await failingEndpoint(40);
  await sweep();
  await success(id, new Date(now.getTime() + 5_000));
  expect(await typesOf(sweep)).toEqual([]);
});

it('an endpoint that recovered and failed again between two sweeps is reported as recovered', async () => {
  const id = await failingEndpoint(51);
  await sweep();
  await success(id, new Date(now.getTime() + 5_000));
  await sql('UPDATE webhook_endpoints SET failing_since = $2 WHERE id = $1', [id, new Date(now.getTime() + 6_000)]);
  expect(await typesOf(sweep)).toEqual(['endpoint.recovered']);
});

it('an endpoint that is disabled after warnings is reported as disabled, and neither as recovered when it is enabled again', async () => {
  const id = await failingEndpoint(91);
  await sweep();
  const then = new Date(now.getTime() + 7 * hour);
  const since = ago(91 * 0.72 * hour).toISOString();
  expect(await eventsOf(() => sweep(then))).toEqual([{ type: 'endpoint.disabled', data: { endpoint_id: id, reason: 'failing', failing_since: since } }]);
  expect((await api.call('PATCH', `/webhooks/endpoints/${id}`, { key: institution.apiKey, body: { status: 'active' } })).status).toBe(200);
  expect(await typesOf(() => sweep(then))).toEqual([]);
});

it('endpoint.disabled says why, and the audit log once for each: failing, or gone by an answer 410', async () => {
  const [failing, gone] = [await failingEndpoint(101), await seedEndpoint(api, institution, 'https://receiver.example/')];
  const attempt = { endpoint_id: gone, institution_id: institution.id, response_code: 410, started_at: new Date(), ended_at: new Date() };
  const events = await eventsOf(async () => {
    await disableFailingEndpoint(api.api.domain, { endpointId: failing, institutionId: institution.id }, now);
    await disableGoneEndpoint(api.api.domain, attempt);
    await disableGoneEndpoint(api.api.domain, attempt);
  });
  expect(events.map(({ type, data }) => [type, data])).toMatchObject([
    ['endpoint.disabled', { endpoint_id: failing, reason: 'failing' }],
    ['endpoint.disabled', { endpoint_id: gone, reason: 'gone', failing_since: null }],
  ]);
  const { data: log } = await api.platform('GET', `/institutions/${institution.id}/audit-log`, { query: { actor_id: 'webhooks' } });
  expect(log.items.map(({ actor, operation, target }: Record<string, unknown>) => [actor, operation, target])).toEqual([
    [{ kind: 'system', id: 'webhooks', name: null }, 'disableGoneEndpoint', { id: gone }],
    [{ kind: 'system', id: 'webhooks', name: null }, 'disableFailingEndpoint', { id: failing }],
  ]);
});
