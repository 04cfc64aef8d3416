import { pruneExpired } from '../../domain/retention/pruneExpired';
import { newId } from '../../domain/ids';
import { apiFixture } from '../support/apiFixture';
import { seedDelivery, seedDeliveryAttempt, type DeliveryAttemptFields } from '../support/seed/deliveries';
import { endpointForEachTest, seedEndpoint } from '../support/seed/endpoints';

const fixture = apiFixture();
const { api, institution, sql } = fixture;
const endpoint = endpointForEachTest(fixture);

const hourMs = 3_600_000;
const succeeded = { responseCode: 200, errorClass: null, error: null, responseBody: 'ok' };
const timedOut = { responseCode: null, errorClass: 'timeout', error: 'No response within 10 s', responseBody: null };

const get = (period?: string, id = endpoint.id, key = institution.apiKey) =>
  api.call('GET', `/webhooks/endpoints/${id}/statistics`, { key, query: period === undefined ? {} : { period } });
const attempt = async (fields: Partial<DeliveryAttemptFields>, id = endpoint.id) =>
  seedDeliveryAttempt(api, await seedDelivery(api, institution, id), fields);
const hoursAgo = (hours: number) => new Date(Date.now() - hours * hourMs);

interface Range { from: string; until: string; attempts: number; failures: number; latency_p50_ms: number | null; latency_p95_ms: number | null }
const ranges = (data: { ranges: Range[] }) => data.ranges;

describe('the statistics of an endpoint', () => {
  it('are 24 hours with the present one, each there without attempts too', async () => {
    const { status, data } = await get();
    expect(status).toBe(200);
    expect(ranges(data)).toHaveLength(24);
    for (const range of ranges(data)) {
      expect(range).toMatchObject({ attempts: 0, failures: 0, latency_p50_ms: null, latency_p95_ms: null });
      expect(Date.parse(range.until) - Date.parse(range.from)).toBe(hourMs);
    }
    expect(ranges(data).slice(1).map(({ from }) => from)).toEqual(ranges(data).slice(0, -1).map(({ until }) => until));
    expect([data.from, data.until]).toEqual([ranges(data)[0]?.from, ranges(data).at(-1)?.until]);
    expect(Date.parse(data.until)).toBeGreaterThan(Date.now() - 1_000);
    expect(Date.parse(data.until) - Date.now()).toBeLessThanOrEqual(hourMs);
  });

  it('count an attempt in the hour in which it began, and its failure', async () => {
    await attempt({ ...succeeded, startedAt: hoursAgo(2), durationMs: 40 });
    await attempt({ ...succeeded, startedAt: hoursAgo(2), durationMs: 40 });
    await attempt({ startedAt: hoursAgo(1), durationMs: 700 });
    await attempt({ ...timedOut, startedAt: hoursAgo(1), durationMs: 10_000 });
    const { data } = await get();
    expect(data).toMatchObject({ attempts: 4, failures: 2 });
    expect(ranges(data).slice(-3)).toMatchObject([
      { attempts: 2, failures: 0, latency_p50_ms: 25 },
      { attempts: 2, failures: 2, latency_p50_ms: 750 },
      { attempts: 0, failures: 0, latency_p50_ms: null },
    ]);
  });

  it('count latency of responses only: a timeout has none', async () => {
    await attempt({ ...timedOut, durationMs: 10_000 });
    expect((await get()).data).toMatchObject({ attempts: 1, failures: 1, latency_p50_ms: null, latency_p95_ms: null });
  });

  it('are 30 ranges of 24 hours on request, which end with the present hour', async () => {
    await attempt({ startedAt: hoursAgo(25) });
    await attempt({ startedAt: hoursAgo(29 * 24) });
    await attempt({ startedAt: hoursAgo(31 * 24) });
    const { data } = await get('30d');
    expect(ranges(data)).toHaveLength(30);
    expect(data).toMatchObject({ attempts: 2, failures: 2 });
    expect(ranges(data).map(({ attempts }, index) => (attempts > 0 ? index : -1)).filter((index) => index >= 0)).toEqual([0, 28]);
    expect((await get('24h')).data).toMatchObject({ attempts: 0 });
  });

  it('refuse another period, and name those that there are', async () => {
    const { status, body } = await get('7d');
    expect([status, body.error]).toEqual([422, 'validation_error']);
    expect(body.issues).toEqual([{ path: 'period', message: expect.stringContaining('24h') }]);
  });

  it('are those of this endpoint alone, and not found of another institution', async () => {
    const other = await seedEndpoint(api, institution, 'https://other.north.example/in');
    await attempt({}, other);
    expect((await get()).data.attempts).toBe(0);
    const stranger = await api.institution();
    expect((await get('24h', endpoint.id, stranger.apiKey)).status).toBe(404);
    expect((await get('24h', newId('we'))).status).toBe(404);
  });

  it('count an attempt that is written twice once', async () => {
    const delivery = await seedDelivery(api, institution, endpoint.id);
    const write = () => sql(
      `INSERT INTO webhook_attempts (delivery_id, number, institution_id, endpoint_id, cycle, started_at, duration_ms, response_code)
       VALUES ($1, 1, $2, $3, 1, now(), 12, 200) ON CONFLICT DO NOTHING`,
      [delivery, institution.id, endpoint.id],
    );
    await write();
    await write();
    expect((await get()).data).toMatchObject({ attempts: 1, failures: 0 });
  });

  it('count what many write at once, for several endpoints in any order, without a deadlock', async () => {
    const other = await seedEndpoint(api, institution, 'https://other.north.example/in');
    const deliveries = await Promise.all([endpoint.id, other].map((id) => seedDelivery(api, institution, id)));
    const insert = `INSERT INTO webhook_attempts (delivery_id, number, institution_id, endpoint_id, cycle, started_at, duration_ms, response_code)
      SELECT d.delivery_id, $3 * 2 + d.nth, $4, d.endpoint_id, 1, now(), 12, 200 FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS d (delivery_id, endpoint_id, nth)`;
    await Promise.all(Array.from({ length: 40 }, (_, nth) => {
      const ordered = <Item>(items: Item[]): Item[] => (nth % 2 === 0 ? items : [...items].reverse());
      return sql(insert, [ordered(deliveries), ordered([endpoint.id, other]), nth, institution.id]);
    }));
    for (const id of [endpoint.id, other]) expect((await get('24h', id)).data).toMatchObject({ attempts: 40, failures: 0 });
  });

  it('are kept for 31 days, and longer for no endpoint', async () => {
    await attempt({ startedAt: hoursAgo(31 * 24 + 1) });
    await attempt({ startedAt: hoursAgo(31 * 24 - 1) });
    const hours = () => sql('SELECT hour FROM endpoint_statistics WHERE endpoint_id = $1', [endpoint.id]);
    expect(await hours()).toHaveLength(2);
    await pruneExpired(api.api.domain, 'endpointStatistics', new Date());
    expect(await hours()).toHaveLength(1);
  });
});
