import { readWaitingWork } from '../../../db/repositories/metrics/gauges';
import { newId, startOfIds, timeOfId } from '../../../domain/ids';
import { withConnection } from '../../../local/programs/postgres';
import { changeDeliveries } from '../../support/deliveries';
import { eventually } from '../../support/eventually';
import { dayMs, hourBefore, hourMs, idAt, insertEvent, partitionsFixture } from '../../support/partitions';
import { seedDelivery } from '../../support/seed/deliveries';
import { seedEvents } from '../../support/seed/events';
import { seedEndpoint } from '../../support/seed/endpoints';

const fixture = partitionsFixture();
const { keep, partitions, seedPartition, sql } = fixture;

const countRowsWithoutPartition = () => sql("SELECT name, rows FROM rows_without_partition() WHERE name = 'events'");

it('the start of ids at a time is that of ids made then, and says the time again', async () => {
  for (const id of [newId('evt'), newId('evt')]) {
    const { rows } = await fixture.owner.query<{ start: string; at: Date }>("SELECT start_of_ids('evt', $1) AS start, time_of_id($2) AS at", [timeOfId(id), id]);
    expect(rows).toEqual([{ start: id.slice(0, 14), at: timeOfId(id) }]);
    expect(startOfIds('evt', timeOfId(id) ?? new Date(0))).toBe(id.slice(0, 14));
  }
});

it('partitions are there for this hour and the next three, one after the other, and made once', async () => {
  await Promise.all([keep(), keep()]);
  const hour = hourBefore();
  const names = [0, 1, 2, 3].map((ahead) => `events_${new Date(hour + ahead * hourMs).toISOString().slice(0, 13).replace(/[-T]/g, '_')}`);
  expect(await partitions()).toEqual(names);
  await fixture.owner.query("UPDATE partitioned_tables SET period = 'day'");
  await keep();
  const { rows } = await fixture.owner.query<{ gap: boolean }>("SELECT since_id IS DISTINCT FROM lag(until_id) OVER (ORDER BY until_id) AS gap FROM partitions_of('events') ORDER BY until_id OFFSET 1");
  expect(rows.length).toBeGreaterThanOrEqual(6);
  expect(rows.some(({ gap }) => gap)).toBe(false);
});

it('an event is found by its id in one partition', async () => {
  await keep();
  const { rows } = await fixture.owner.query<Record<'QUERY PLAN', string>>(`EXPLAIN SELECT body FROM events WHERE id = '${newId('evt')}'`);
  const scanned = rows.flatMap((row) => /Scan.* on (\S+)/.exec(row['QUERY PLAN'])?.[1] ?? []);
  expect(scanned).toEqual([expect.stringMatching(/^events_\d{4}_\d\d_\d\d_\d\d$/)]);
});

it('an id is given once, in all partitions together', async () => {
  await keep();
  for (const id of [newId('evt'), 'evt_old', idAt(new Date(Date.now() + 10 * dayMs))]) {
    await sql(insertEvent, [id, fixture.institution.id, 'exam.graded', new Date(), '{}']);
    await expect(sql(insertEvent, [id, fixture.institution.id, 'exam.graded', new Date(), '{}'])).rejects.toMatchObject({ code: '23505' });
  }
});

it('the default partition takes what no partition was made for, and is counted', async () => {
  expect(await countRowsWithoutPartition()).toEqual([{ name: 'events', rows: 0 }]);
  await sql(insertEvent, [newId('evt'), fixture.institution.id, 'exam.graded', new Date(), '{}']);
  expect(await countRowsWithoutPartition()).toEqual([{ name: 'events', rows: 1 }]);
});

it('the gauges say how many rows have no partition, and for how many periods there are partitions', async () => {
  const gauges = async (now: Date) => {
    const { rowsWithoutPartition, partitionsAhead } = await readWaitingWork(fixture.api.api.domain.database.sql, now);
    return [rowsWithoutPartition, partitionsAhead];
  };
  expect(await gauges(new Date())).toEqual([0, 0]);
  await sql(insertEvent, ['evt_old', fixture.institution.id, 'exam.graded', new Date(), '{}']);
  await keep();
  expect(await gauges(new Date(hourBefore()))).toEqual([1, 4]);
  expect(await gauges(new Date(hourBefore() + 2.5 * hourMs))).toEqual([1, 1.5]);
});

it('a period with rows in the default partition is left to it; the next ones get partitions', async () => {
  await sql(insertEvent, [newId('evt'), fixture.institution.id, 'exam.graded', new Date(), '{}']);
  await keep();
  expect(await partitions()).toHaveLength(3);
  await sql(insertEvent, [newId('evt'), fixture.institution.id, 'exam.graded', new Date(), '{}']);
  expect(await countRowsWithoutPartition()).toEqual([{ name: 'events', rows: 2 }]);
});

it('a partition is dropped when its newest id is older than events are kept, and what is missing is noted', async () => {
  const hour = hourBefore();
  await seedPartition('events_old', new Date(hour - 31 * dayMs));
  await seedPartition('events_young', new Date(hour - 30 * dayMs));
  expect(await keep()).toBe(1);
  expect(await partitions()).toEqual(expect.arrayContaining(['events_young']));
  expect(await partitions()).not.toContain('events_old');
  expect(await sql('SELECT type, pruned_until FROM pruned_events WHERE institution_id = $1', [fixture.institution.id])).toEqual([{ type: 'exam.graded', pruned_until: new Date(hour - 31 * dayMs) }]);
});

it('the newest event of each type is noted for every institution of a partition', async () => {
  const at = new Date(hourBefore(31));
  await seedPartition('events_old', at);
  await fixture.owner.query(
    `INSERT INTO institutions (id, name, status, login_domain, time_zone, config, created_at, updated_at)
       SELECT 'ins_many_' || n, 'School ' || n, 'approved', n || '.many.example', 'UTC', '{}', now(), now() FROM generate_series(1, 401) AS n`,
  );
  await fixture.owner.query(
    `INSERT INTO events (id, institution_id, type, created_at, body)
       SELECT $1 || i.id || type || nth, i.id, type, $2::timestamptz + nth * interval '1 ms', '{}'
         FROM institutions i, unnest('{exam.graded,exam.published,student.created}'::text[]) AS type, generate_series(1, 2) AS nth WHERE i.id LIKE 'ins_many_%'`,
    [startOfIds('evt', at), at],
  );
  const newest = await sql('SELECT institution_id, type, max(created_at) AS pruned_until FROM events GROUP BY 1, 2 ORDER BY 1, 2');
  expect(newest).toHaveLength(401 * 3 + 1);
  expect(await keep()).toBe(1);
  expect(await sql('SELECT institution_id, type, pruned_until FROM pruned_events ORDER BY 1, 2')).toEqual(newest);
});

it('a partition stays while one of its events is not fanned out, or still to be sent', async () => {
  const hour = hourBefore();
  const queued = await seedPartition('events_queued', new Date(hour - 40 * dayMs));
  const held = await seedPartition('events_held', new Date(hour - 41 * dayMs));
  await sql("INSERT INTO event_queue (event_id, institution_id, type, created_at) SELECT id, institution_id, type, created_at FROM events WHERE id = $1", [queued]);
  const endpointId = await seedEndpoint(fixture.api, fixture.institution, 'https://receiver.example/', { status: 'paused', pausedAt: new Date() });
  const delivery = await seedDelivery(fixture.api, fixture.institution, endpointId, { eventId: held, status: 'held' });
  expect(await keep()).toBe(0);
  await sql('DELETE FROM event_queue');
  expect(await keep()).toBe(1);
  await changeDeliveries(sql, "SET status = 'cancelled', held_at = NULL, ended_at = now() WHERE id = $1", [delivery]);
  expect(await keep()).toBe(1);
});

it('a partition is not dropped while a replay protects one of its events, and then only if it is not to be sent', async () => {
  const again = await seedPartition('events_again', new Date(hourBefore(42)));
  await withConnection(fixture.api.settings.databaseUrl, async (replay) => {
    await replay.query('BEGIN');
    await replay.query('SELECT 1 FROM events WHERE id = $1 FOR KEY SHARE', [again]);
    const kept = keep();
    await eventually('a drop that waits', async () => (await fixture.owner.query("SELECT 1 FROM pg_locks WHERE NOT granted AND mode = 'ExclusiveLock' AND relation = 'partitions.events_again'::regclass")).rowCount !== 0);
    await replay.query("INSERT INTO event_queue (event_id, institution_id, type, created_at) VALUES ($1, $2, 'exam.graded', now())", [again, fixture.institution.id]);
    await replay.query('COMMIT');
    expect(await kept).toBe(0);
  });
});

it('the service has no way to a partition but the table, and cannot change what is partitioned', async () => {
  await keep();
  const [part = ''] = await partitions();
  for (const text of [`SELECT 1 FROM partitions.${part}`, `DROP TABLE partitions.${part}`, "UPDATE partitioned_tables SET kept = '0'"]) {
    await expect(sql(text)).rejects.toMatchObject({ code: '42501' });
  }
  await expect(sql('SELECT drop_partition($1, $2)', ['events', part])).resolves.toEqual([{ drop_partition: false }]);
});

it('a poll looks into no partition that is a day older than what it asks for', async () => {
  await seedPartition('events_locked', new Date(hourBefore(3)));
  const ids = await seedEvents(fixture.api, fixture.institution, { createdAt: new Date() });
  const poll = (since: number, type: string) => fixture.api.call('GET', '/events', { key: fixture.institution.apiKey, query: { since: new Date(since).toISOString(), type } });
  await withConnection(fixture.api.stack.ownerDatabaseUrl, async (other) => {
    await other.query('BEGIN; LOCK TABLE ONLY partitions.events_locked IN ACCESS EXCLUSIVE MODE');
    for (const type of ['*', 'exam.*']) {
      const { status, body, data } = await poll(hourBefore(1), type);
      expect([status, body.message]).toEqual([200, undefined]);
      expect(data.items.map((event: { id: string }) => event.id)).toEqual(ids);
    }
    expect((await poll(hourBefore(4), '*')).status).toBe(429);
    await other.query('ROLLBACK');
  });
});
