import { setTimeout as pause } from 'node:timers/promises';
import { institutionScope } from '../../db/database';
import { readLastEventTime, resetEventClock, writeEventClockOffset } from '../../db/repositories/events/clock';
import { stampCreation } from '../../db/repositories/webhooks/endpoints';
import { bindSql, type Sql } from '../../db/statement';
import { newId } from '../../domain/ids';
import { withConnection } from '../../local/programs/postgres';
import { apiFixture } from '../support/apiFixture';
import { withOldSnapshot } from '../support/oldSnapshot';
import { withExplain } from '../support/queryPlans';
import { seededRandom } from '../support/seededRandom';
import { seedEndpoint } from '../support/seed/endpoints';

const fixture = apiFixture();
const { api, institution } = fixture;
const sql: Sql = (query, values) => api.api.domain.database.sql(query, values);

const data = JSON.stringify({ student_id: 'stu_1' });
const events = (count: number): string => JSON.stringify(Array.from({ length: count }, () => ({ id: newId('evt'), type: 'student.created', data })));
const append = async (run: Sql, count = 1): Promise<void> => {
  await run('SELECT append_events($1, $2::json)', [institution.id, events(count)]);
};
const clocks = () => sql<{ generation: number; last_ms: string; offset_ms: string }>('SELECT generation, last_ms, offset_ms FROM event_clocks WHERE institution_id = $1', [institution.id]);

/** As 0.12.0 has them: they find the row by its institution alone. */
const releaseBefore = {
  stampCreation: `WITH clock AS (
     UPDATE event_clocks SET last_ms = greatest(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint + offset_ms, last_ms + 1)
      WHERE institution_id = $1 RETURNING 'epoch'::timestamptz + last_ms * interval '1 millisecond' AS at
   )
   UPDATE webhook_endpoints SET created_at = clock.at FROM clock WHERE institution_id = $1 AND id = $2 RETURNING created_at`,
  writeOffset: 'UPDATE event_clocks SET offset_ms = $2 WHERE institution_id = $1',
};

/** A time that a transaction got from the clock, and from when to when it surely had the clock alone. */
interface Stamp {
  at: number;
  had: number;
  leaves: number;
}

const lastStamp = async (run: Sql): Promise<number> => Number((await run<{ last_ms: string }>('SELECT last_ms FROM event_clocks WHERE institution_id = $1', [institution.id]))[0]?.last_ms);

test('times rise in the order of commits, with events, endpoints and clock moves of this release and the one before; there is one row', async () => {
  const random = seededRandom(11);
  const stamps: Stamp[] = [];
  let offset = 0;
  const writers = Array.from({ length: 12 }, (_writer, nth) => withConnection(api.stack.databaseUrl, async (client) => {
    const run = bindSql(client);
    const scope = { institutionId: institution.id, sql: run };
    const endpointId = await seedEndpoint(api, institution, 'https://hooks.north.example/in');
    for (let round = 0; round < 60; round += 1) {
      await client.query('BEGIN');
      const choice = random();
      if (choice < 0.1) {
        offset += 20;
        await (nth % 2 === 0 ? writeEventClockOffset(scope, offset) : run(releaseBefore.writeOffset, [institution.id, offset]));
      } else if (choice < 0.2) {
        await (nth % 2 === 0 ? stampCreation(scope, endpointId) : run(releaseBefore.stampCreation, [institution.id, endpointId]));
      } else {
        await append(run, 1 + Math.floor(random() * 3));
      }
      const stamp = { at: await lastStamp(run), had: performance.now(), leaves: 0 };
      if (random() < 0.1) await pause(2);
      stamp.leaves = performance.now();
      await client.query(random() < 0.05 ? 'ROLLBACK' : 'COMMIT');
      stamps.push(stamp);
    }
  }));
  await Promise.all(writers);
  stamps.sort((a, b) => a.had - b.had);
  stamps.forEach((stamp, nth) => {
    const next = stamps[nth + 1];
    // Nobody has the clock before the transaction that had it ends.
    if (next !== undefined) expect(next.had).toBeGreaterThanOrEqual(stamp.leaves);
  });
  const times = await sql<{ at: string }>('SELECT extract(epoch FROM q.created_at)::text AS at FROM event_queue q WHERE institution_id = $1 ORDER BY seq', [institution.id]);
  expect(times.map(({ at }) => Number(at))).toEqual(times.map(({ at }) => Number(at)).sort((a, b) => a - b));
  expect(new Set(times.map(({ at }) => at)).size).toBe(times.length);
  const [clock, ...others] = await clocks();
  expect(others).toEqual([]);
  expect(clock?.generation).toBeGreaterThanOrEqual(3);
});

test('a transaction that waits while the row gets a new generation goes on with that one', async () => {
  await sql('UPDATE event_clocks SET uses = 127 WHERE institution_id = $1', [institution.id]);
  const countEvents = async (): Promise<number> => (await sql('SELECT 1 FROM events WHERE institution_id = $1', [institution.id])).length;
  const before = await countEvents();
  await withConnection(api.stack.databaseUrl, async (client) => {
    await client.query('BEGIN');
    await append(bindSql(client));
    const scope = { institutionId: institution.id, sql };
    const waiting = Promise.all([append(sql), append(sql), writeEventClockOffset(scope, 5_000), sql(releaseBefore.writeOffset, [institution.id, 5_000])]);
    await pause(100);
    await client.query('COMMIT');
    await waiting;
  });
  expect(await clocks()).toEqual([expect.objectContaining({ generation: 1, offset_ms: '5000' })]);
  expect(await countEvents()).toBe(before + 3);
  await resetEventClock({ institutionId: institution.id, sql });
  expect(await clocks()).toEqual([{ generation: 1, last_ms: '0', offset_ms: '0' }]);
});

test('an institution without a clock can write no event', async () => {
  await expect(sql("SELECT append_events('ins_none', $1::json)", [events(1)])).rejects.toThrow('institution ins_none has no event clock');
});

test('thousands of transactions under an old snapshot make the clock no slower to find', async () => {
  const blocks = async (): Promise<number> => {
    const { scope, done } = withExplain({ ...institutionScope(api.api.domain.database, institution.id), sql });
    await scope.sql('SELECT append_events($1, $2::json)', [institution.id, '[]']);
    await readLastEventTime(scope);
    return done.reduce((sum, one) => sum + one.blocks, 0);
  };
  await withOldSnapshot(api.stack.databaseUrl, async () => {
    await blocks();
    const before = await blocks();
    await sql(`DO $$ BEGIN FOR n IN 1..5000 LOOP PERFORM append_events('${institution.id}', '[]'); COMMIT; END LOOP; END $$`);
    expect(await blocks()).toBeLessThan(before + 20);
    // As autovacuum does: with these statistics other plans look cheaper.
    await withConnection(api.stack.ownerDatabaseUrl, (client) => client.query('ANALYZE event_clocks'));
    await blocks();
    expect(await blocks()).toBeLessThan(before + 20);
    // A statement that finds the row by its institution alone goes through all versions.
    const { scope, done } = withExplain({ ...institutionScope(api.api.domain.database, institution.id), sql });
    await scope.sql('SELECT 1 FROM event_clocks WHERE institution_id = $1', [institution.id]);
    expect(done[0]?.blocks).toBeGreaterThan(before + 20);
  });
});
