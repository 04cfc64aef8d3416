import type { RecordedAttempt } from '../../db/repositories/webhooks/attempts';
import type { Sql } from '../../db/statement';
import { createLastSuccesses } from '../../worker/sender/lastSuccesses';
import { apiFixture } from '../support/apiFixture';
import { eventually } from '../support/eventually';
import { endpointForEachTest } from '../support/seed/endpoints';

const fixture = apiFixture();
const { api, institution } = fixture;
const endpoint = endpointForEachTest(fixture);
const sql: Sql = (query, values) => api.api.domain.database.sql(query, values);

const start = Date.parse('2026-11-20T10:00:00Z');
const at = (ms: number): Date => new Date(start + ms);

interface Row { last_success_at: Date | null; circuit: string; consecutive_failures: number; failing_since: Date | null; version: string }
const read = async (): Promise<Row | undefined> =>
  (await sql<Row>('SELECT last_success_at, circuit, consecutive_failures, failing_since, xmin::text AS version FROM webhook_endpoints WHERE id = $1', [endpoint.id]))[0];

/** Writes successes as the sender does; each of them has ended so many ms after the start. */
function writer() {
  const closed: string[] = [];
  const errors: unknown[] = [];
  const successes = createLastSuccesses(sql, { onClosed: (id) => closed.push(id), onError: (error) => errors.push(error), isStopping: () => false, lockKey: ({ institution_id }) => institution_id });
  const add = (ms: number): void => {
    const attempt: Pick<RecordedAttempt, 'endpoint_id' | 'institution_id' | 'ended_at'> = { endpoint_id: endpoint.id, institution_id: institution.id, ended_at: at(ms) };
    successes.add(attempt);
  };
  return { add, flush: successes.flush, closed, errors };
}

const written = (ms: number) => eventually(`the success of ${ms} ms`, async () => (await read())?.last_success_at?.getTime() === start + ms);

test('of many successes of a healthy endpoint one a second is written, and the last one', async () => {
  const { add, flush, errors } = writer();
  add(0);
  await written(0);
  const versions = new Set<string | undefined>();
  for (let ms = 25; ms <= 2_000; ms += 25) {
    add(ms);
    await new Promise((resolve) => setTimeout(resolve, 10));
    versions.add((await read())?.version);
  }
  // The one that was there, and those after one and two seconds at the most.
  expect(versions.size).toBeLessThanOrEqual(3);
  await flush();
  expect((await read())?.last_success_at).toEqual(at(2_000));
  expect(errors).toEqual([]);
});

test('the last success before a pause is written without another one', async () => {
  const { add } = writer();
  add(0);
  await written(0);
  add(400);
  await written(400);
});

test('a success that is older than the written one changes nothing', async () => {
  const { add, flush } = writer();
  add(3_000);
  await written(3_000);
  const before = await read();
  add(100);
  await flush();
  expect(await read()).toEqual(before);
});

test.each([
  ['whose circuit is open', { circuit: 'open', circuit_opened_at: at(100), probe_at: at(60_000), consecutive_failures: 20, failing_since: at(50) }],
  ['that fails', { consecutive_failures: 1, failing_since: at(50) }],
])('a success of an endpoint %s is written at once', async (_which, fields) => {
  await sql(
    `UPDATE webhook_endpoints e SET last_success_at = $2, circuit = coalesce(x.circuit, e.circuit), circuit_opened_at = x.circuit_opened_at, probe_at = x.probe_at,
            consecutive_failures = x.consecutive_failures, failing_since = x.failing_since
       FROM json_populate_record(NULL::webhook_endpoints, $3) x WHERE e.id = $1`,
    [endpoint.id, at(0), JSON.stringify(fields)],
  );
  const { add, flush, closed } = writer();
  add(200);
  await eventually('health', async () => (await read())?.failing_since === null);
  expect(await read()).toMatchObject({ last_success_at: at(200), circuit: 'closed', consecutive_failures: 0 });
  expect(closed).toEqual('circuit' in fields ? [endpoint.id] : []);
  await flush();
});
