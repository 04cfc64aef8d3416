import { Client } from 'pg';
import { countRowsWithoutPartition } from '../../db/repositories/retention/partitions';
import { migrations } from '../../db/migrations';
import { newId, timeOfId } from '../../domain/ids';
import { keepPartitions } from '../../domain/retention/keepPartitions';
import { withConnection } from '../../local/programs/postgres';
import { startTestApi, type TestApi, type TestInstitution } from '../support/api';
import { eventually } from '../support/eventually';
import { migrateUpTo, revertLastOf } from '../support/migrations';
import { seedDelivery } from '../support/seed/deliveries';
import { seedEndpoint } from '../support/seed/endpoints';
import { createEmptyDatabase } from '../support/stack';

let api: TestApi;
let institution: TestInstitution;
let owner: Client;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

beforeAll(async () => {
  api = await startTestApi();
  institution = await api.institution();
  owner = new Client({ connectionString: api.stack.ownerDatabaseUrl });
  await owner.connect();
});

afterAll(async () => {
  await owner.end();
  await api.stop();
});

const sql = <T extends object>(text: string, values: unknown[] = []) => api.api.domain.database.sql<T>(text, values);
const keep = () => keepPartitions(api.api.domain);
const partitions = async (): Promise<string[]> => (await owner.query<{ part: string }>("SELECT part FROM partitions_of('events') ORDER BY until_id")).rows.map(({ part }) => part);

/** An id as it is made at a time. */
async function idAt(at: Date): Promise<string> {
  const { rows } = await owner.query<{ start: string }>("SELECT start_of_ids('evt', $1) AS start", [at]);
  return `${rows[0]?.start ?? ''}${newId('evt').slice(14)}`;
}

const insert = 'INSERT INTO events (id, institution_id, type, created_at, body) VALUES ($1, $2, $3, $4, $5)';

/** Makes the partition of the hour that a time begins, and an event in it. */
async function seedPartition(name: string, at: Date): Promise<string> {
  await owner.query(
    `DO $$ BEGIN EXECUTE format('CREATE TABLE partitions.${name} PARTITION OF events FOR VALUES FROM (%L) TO (%L)',
       start_of_ids('evt', '${at.toISOString()}'), start_of_ids('evt', '${new Date(at.getTime() + hourMs).toISOString()}')); END $$`,
  );
  const id = await idAt(new Date(at.getTime() + 60_000));
  await sql(insert, [id, institution.id, 'exam.graded', at, '{}']);
  return id;
}

/** Drops all partitions but the default one; the next are of an hour. */
beforeEach(async () => {
  for (const part of await partitions()) await owner.query(`DROP TABLE partitions.${part}`);
  await owner.query("UPDATE partitioned_tables SET period = 'hour'");
  await owner.query('DELETE FROM events');
  await owner.query('DELETE FROM event_queue');
  await owner.query('DELETE FROM pruned_events');
});

it('the start of ids at a time is that of ids made then, and says the time again', async () => {
  for (const id of [newId('evt'), newId('evt')]) {
    const { rows } = await owner.query<{ start: string; at: Date }>("SELECT start_of_ids('evt', $1) AS start, time_of_id($2) AS at", [timeOfId(id), id]);
    expect(rows).toEqual([{ start: id.slice(0, 14), at: timeOfId(id) }]);
  }
});

it('partitions are there for this hour and the next three, one after the other, and made once', async () => {
  await Promise.all([keep(), keep()]);
  const hour = Math.floor(Date.now() / hourMs) * hourMs;
  const names = [0, 1, 2, 3].map((ahead) => `events_${new Date(hour + ahead * hourMs).toISOString().slice(0, 13).replace(/[-T]/g, '_')}`);
  expect(await partitions()).toEqual(names);
  await owner.query("UPDATE partitioned_tables SET period = 'day'");
  await keep();
  const { rows } = await owner.query<{ gap: boolean }>("SELECT since_id IS DISTINCT FROM lag(until_id) OVER (ORDER BY until_id) AS gap FROM partitions_of('events') ORDER BY until_id OFFSET 1");
  expect(rows.length).toBeGreaterThanOrEqual(6);
  expect(rows.some(({ gap }) => gap)).toBe(false);
});

it('an event is found by its id in one partition', async () => {
  await keep();
  const { rows } = await owner.query<Record<'QUERY PLAN', string>>(`EXPLAIN SELECT body FROM events WHERE id = '${newId('evt')}'`);
  const scanned = rows.flatMap((row) => /Scan.* on (\S+)/.exec(row['QUERY PLAN'])?.[1] ?? []);
  expect(scanned).toEqual([expect.stringMatching(/^events_\d{4}_\d\d_\d\d_\d\d$/)]);
});

it('an id is given once, in all partitions together', async () => {
  await keep();
  for (const id of [newId('evt'), 'evt_old', await idAt(new Date(Date.now() + 10 * dayMs))]) {
    await sql(insert, [id, institution.id, 'exam.graded', new Date(), '{}']);
    await expect(sql(insert, [id, institution.id, 'exam.graded', new Date(), '{}'])).rejects.toMatchObject({ code: '23505' });
  }
});

it('the default partition takes what no partition was made for, and is counted', async () => {
  expect(await countRowsWithoutPartition(api.api.domain.database.sql)).toEqual([{ name: 'events', rows: 0 }]);
  await sql(insert, [newId('evt'), institution.id, 'exam.graded', new Date(), '{}']);
  expect(await countRowsWithoutPartition(api.api.domain.database.sql)).toEqual([{ name: 'events', rows: 1 }]);
});

it('a period with rows in the default partition is left to it; the next ones get partitions', async () => {
  await sql(insert, [newId('evt'), institution.id, 'exam.graded', new Date(), '{}']);
  await keep();
  expect(await partitions()).toHaveLength(3);
  await sql(insert, [newId('evt'), institution.id, 'exam.graded', new Date(), '{}']);
  expect(await countRowsWithoutPartition(api.api.domain.database.sql)).toEqual([{ name: 'events', rows: 2 }]);
});

it('a partition is dropped when its newest id is older than events are kept, and what is missing is noted', async () => {
  const hour = Math.floor(Date.now() / hourMs) * hourMs;
  await seedPartition('events_old', new Date(hour - 31 * dayMs));
  await seedPartition('events_young', new Date(hour - 30 * dayMs));
  expect(await keep()).toBe(1);
  expect(await partitions()).toEqual(expect.arrayContaining(['events_young']));
  expect(await partitions()).not.toContain('events_old');
  expect(await sql('SELECT type, pruned_until FROM pruned_events WHERE institution_id = $1', [institution.id])).toEqual([{ type: 'exam.graded', pruned_until: new Date(hour - 31 * dayMs) }]);
});

it('a partition stays while one of its events is not fanned out, or still to be sent', async () => {
  const hour = Math.floor(Date.now() / hourMs) * hourMs;
  const queued = await seedPartition('events_queued', new Date(hour - 40 * dayMs));
  const held = await seedPartition('events_held', new Date(hour - 41 * dayMs));
  await sql("INSERT INTO event_queue (event_id, institution_id, type, created_at) SELECT id, institution_id, type, created_at FROM events WHERE id = $1", [queued]);
  const endpointId = await seedEndpoint(api, institution, 'https://receiver.example/', { status: 'paused', pausedAt: new Date() });
  const delivery = await seedDelivery(api, institution, endpointId, { eventId: held, status: 'held' });
  expect(await keep()).toBe(0);
  await sql('DELETE FROM event_queue');
  expect(await keep()).toBe(1);
  await sql("UPDATE webhook_deliveries SET status = 'cancelled', held_at = NULL, ended_at = now() WHERE id = $1", [delivery]);
  expect(await keep()).toBe(1);
});

it('a partition is not dropped while a replay protects one of its events, and then only if it is not to be sent', async () => {
  const again = await seedPartition('events_again', new Date(Math.floor(Date.now() / hourMs) * hourMs - 42 * dayMs));
  await withConnection(api.settings.databaseUrl, async (replay) => {
    await replay.query('BEGIN');
    await replay.query('SELECT 1 FROM events WHERE id = $1 FOR KEY SHARE', [again]);
    const kept = keep();
    await eventually('a drop that waits', async () => (await owner.query("SELECT 1 FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock' AND relation = 'events'::regclass")).rowCount !== 0);
    await replay.query("INSERT INTO event_queue (event_id, institution_id, type, created_at) VALUES ($1, $2, 'exam.graded', now())", [again, institution.id]);
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

describe('the migration', () => {
  const number = migrations.findIndex(({ name }) => name.startsWith('Partitions')) + 1;
  const institutions = `INSERT INTO institutions (id, name, status, login_domain, time_zone, config, created_at, updated_at)
    VALUES ('ins_1', 'North School', 'approved', 'north.example', 'UTC', '{}', '2026-11-20', '2026-11-20');
    INSERT INTO event_clocks (institution_id) VALUES ('ins_1') ON CONFLICT DO NOTHING`;

  /** The statements of the release before, prepared once. */
  const statements = {
    append: { name: 'append', text: 'SELECT append_events($1, $2::json)' },
    feed: { name: 'feed', text: 'SELECT created_at, body FROM events WHERE institution_id = $1 AND created_at > $2::timestamptz ORDER BY created_at LIMIT 100' },
    byId: { name: 'by_id', text: 'SELECT 1 FROM events WHERE institution_id = $1 AND id = $2 FOR KEY SHARE' },
    fanOut: { name: 'fan_out', text: 'WITH picked AS (SELECT seq FROM event_queue ORDER BY seq LIMIT 10 FOR UPDATE SKIP LOCKED) DELETE FROM event_queue WHERE seq = ANY (ARRAY(SELECT seq FROM picked)) RETURNING event_id' },
  };

  it('runs during calls of a process of the release before: none of its statements fails, no event is lost', async () => {
    const { url, drop } = await createEmptyDatabase();
    await migrateUpTo(url, number - 1);
    await withConnection(url, (client) => client.query(institutions));
    const appended: string[] = [];
    const fannedOut: string[] = [];
    let ended = false;
    const appending = withConnection(url, async (client) => {
      while (!ended) {
        const id = newId('evt');
        await client.query(statements.append, ['ins_1', JSON.stringify([{ id, type: 'exam.graded', data: '{}' }])]);
        appended.push(id);
        expect((await client.query(statements.byId, ['ins_1', id])).rowCount).toBe(1);
      }
    });
    const reading = withConnection(url, async (client) => {
      let since: Date | string = '-infinity';
      let read = 0;
      for (let last = false; !last; ) {
        last = ended;
        for (let rows = 100; rows === 100; ) {
          const page: { rows: { created_at: Date }[] } = await client.query<{ created_at: Date }>(statements.feed, ['ins_1', since]);
          rows = page.rows.length;
          read += rows;
          since = page.rows.at(-1)?.created_at ?? since;
        }
        if (last) await appending;
      }
      return read;
    });
    const fanning = withConnection(url, async (client) => {
      for (let last = false; !last; ) {
        last = ended;
        const { rows } = await client.query<{ event_id: string }>(statements.fanOut);
        fannedOut.push(...rows.map(({ event_id }) => event_id));
      }
    });
    await eventually('events', () => Promise.resolve(appended.length > 100));
    await migrateUpTo(url, number);
    const before = appended.length;
    await eventually('more events', () => Promise.resolve(appended.length > before + 100));
    ended = true;
    await Promise.all([appending, reading, fanning]);
    await withConnection(url, async (client) => {
      const { rows } = await client.query<{ id: string }>('SELECT id FROM events ORDER BY id');
      expect(rows.map(({ id }) => id)).toEqual(appended.sort());
      const { rows: left } = await client.query<{ event_id: string }>('SELECT event_id FROM event_queue');
      expect([...fannedOut, ...left.map(({ event_id }) => event_id)].sort()).toEqual(appended);
    });
    await drop();
  });

  it('undone, leaves every event in a plain table; done again, in the partition from before', async () => {
    const { url, drop } = await createEmptyDatabase();
    await migrateUpTo(url, number);
    const ids = [newId('evt'), await idAt(new Date(Date.now() + 2 * dayMs)), 'evt_zzz'];
    await withConnection(url, async (client) => {
      await client.query(institutions);
      for (const [nth, id] of ids.entries()) await client.query(insert, [id, 'ins_1', 'exam.graded', new Date(nth), '{}']);
      await revertLastOf(url, number);
      expect((await client.query<{ id: string }>('SELECT id FROM events ORDER BY id')).rows.map(({ id }) => id)).toEqual(ids);
      await client.query("DELETE FROM events WHERE id = 'evt_zzz'");
      await client.query('DELETE FROM events WHERE id = $1', [ids[1]]);
      await migrateUpTo(url, number);
      expect((await client.query<{ part: string }>('SELECT tableoid::regclass::text AS part FROM events')).rows).toEqual([{ part: 'partitions.events_before' }]);
    });
    await drop();
  });
});
