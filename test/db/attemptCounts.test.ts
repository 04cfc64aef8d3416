import { institutionScope } from '../../db/database';
import { openGenericPlanPool, type GenericPlanPool } from '../../db/genericPlanPool';
import { countAttemptsInRanges } from '../../db/repositories/webhooks/endpointStatistics';
import { settingsSource } from '../../db/sessionSettings';
import type { Sql } from '../../db/statement';
import { newId } from '../../domain/ids';
import { apiFixture } from '../support/apiFixture';
import { withOldSnapshot } from '../support/oldSnapshot';
import { withExplain } from '../support/queryPlans';
import { endpointForEachTest, seedEndpoint } from '../support/seed/endpoints';

const fixture = apiFixture();
const { api, institution } = fixture;
const endpoint = endpointForEachTest(fixture);
const database = () => api.api.domain.database;
const sql: Sql = (query, values) => database().sql(query, values);

let sender: GenericPlanPool;
beforeAll(() => {
  sender = openGenericPlanPool(api.settings.databaseUrl, 8, () => undefined, settingsSource(api.settings));
});
afterAll(() => sender.close());

const began = new Date('2026-11-20T10:00:00Z');
const insert = `INSERT INTO webhook_attempts (delivery_id, number, institution_id, cycle, started_at, duration_ms, response_code, endpoint_id)
  SELECT $1, n, $2, 1, $3, 30, 200, e FROM unnest($4::text[]) WITH ORDINALITY AS x (e, n)`;
/** Records one attempt at each of these endpoints, in one statement. */
const record = (run: Sql, ...endpoints: string[]) => run(insert, [newId('whd'), institution.id, began, endpoints]);

const countOf = async (id: string): Promise<number | undefined> => {
  const [range] = await countAttemptsInRanges(institutionScope(database(), institution.id), id, began, new Date(began.getTime() + 3_600_000), 3_600);
  return range?.attempts;
};
const rowsOf = (id: string) => sql<{ generation: number; attempts: number }>('SELECT generation, attempts FROM endpoint_statistics WHERE endpoint_id = $1', [id]);

test('attempts that many record at once, in any order of endpoints, are counted exactly, in one row of the hour with ever newer generations', async () => {
  const other = await seedEndpoint(api, institution, 'https://hooks.north.example/other');
  const recorded = { alone: 0, both: 0 };
  await Promise.all(Array.from({ length: 8 }, async (_writer, nth) => {
    for (let round = 0; round < 60; round += 1) {
      const run = round % 2 === 0 ? sender.sql : sql;
      if ((round + nth) % 3 === 0) {
        await record(run, endpoint.id);
        recorded.alone += 1;
      } else {
        await (nth % 2 === 0 ? record(run, endpoint.id, other) : record(run, other, endpoint.id));
        recorded.both += 1;
      }
    }
  }));
  expect(await countOf(endpoint.id)).toBe(recorded.alone + recorded.both);
  expect(await countOf(other)).toBe(recorded.both);
  expect(await rowsOf(endpoint.id)).toEqual([{ generation: 3, attempts: 480 }]);
  expect(await rowsOf(other)).toEqual([{ generation: 2, attempts: recorded.both }]);
});

test('thousands of attempts under an old snapshot make the next one no slower to count', async () => {
  const blocks = async (run: Sql): Promise<number> => {
    const { scope, done } = withExplain({ ...institutionScope(database(), institution.id), sql: run });
    await scope.sql(insert.replace('$1', `$1 || gen_random_uuid()`), [newId('whd'), institution.id, began, [endpoint.id]]);
    return done[0]?.blocks ?? Number.NaN;
  };
  await withOldSnapshot(api.stack.databaseUrl, async () => {
    await record(sql, endpoint.id);
    const before = Math.max(await blocks(sql), await blocks(sender.sql));
    await sql(`DO $$ BEGIN FOR n IN 1..5000 LOOP
      INSERT INTO webhook_attempts (delivery_id, number, institution_id, cycle, started_at, duration_ms, response_code, endpoint_id)
      VALUES ('${newId('whd')}', n, '${institution.id}', 1, '${began.toISOString()}', 30, 200, '${endpoint.id}'); COMMIT; END LOOP; END $$`);
    // The versions themselves take dozens of blocks.
    expect(await sql("SELECT 1 WHERE pg_relation_size('endpoint_statistics') > 40 * 8192")).toHaveLength(1);
    expect(await blocks(sql)).toBeLessThan(before + 20);
    expect(await blocks(sender.sql)).toBeLessThan(before + 20);
  });
});
