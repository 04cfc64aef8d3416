import { listPartitionedTables } from '../../../db/repositories/retention/partitions';
import { eraseRows } from '../../../db/repositories/sandbox/erasure';
import { institutionScope } from '../../../db/database';
import { newId, startOfIds, type IdPrefix } from '../../../domain/ids';
import { keepPartitionsOf } from '../../../domain/retention/keepPartitions';
import { dayMs, idAt, partitionsFixture } from '../../support/partitions';
import { seedDelivery, seedDeliveryAttempt } from '../../support/seed/deliveries';
import { seedEndpoint } from '../../support/seed/endpoints';
import { daysBefore } from '../../support/time';

const fixture = partitionsFixture();
const { sql } = fixture;

type History = 'attempt_events' | 'audit_log' | 'webhook_attempts' | 'webhook_deliveries';
const prefixes: Readonly<Record<History, IdPrefix>> = { attempt_events: 'att', audit_log: 'aud', webhook_attempts: 'whd', webhook_deliveries: 'whd' };
const histories = Object.keys(prefixes) as History[];
const keyOf = { attempt_events: 'attempt_id', audit_log: 'id', webhook_attempts: 'delivery_id', webhook_deliveries: 'id' } as const;

const keep = (table: string) => keepPartitionsOf(table, fixture.api.api.domain);
const partitionsOf = async (table: History): Promise<string[]> =>
  (await fixture.owner.query<{ part: string }>('SELECT part FROM partitions_of($1) ORDER BY until_id', [table])).rows.map(({ part }) => part);
const partOf = async (table: History, id: string): Promise<string[]> =>
  (await fixture.owner.query<{ part: string }>(`SELECT tableoid::regclass::text AS part FROM ${table} WHERE ${keyOf[table]} = $1`, [id])).rows.map(({ part }) => part);

/** Makes the partition of the 30 days after a time, in the place of that from before the migration. */
async function seedMonth(table: History, at: Date): Promise<string> {
  const name = `${table}_old_${at.getTime()}`;
  const [since, until] = [at, new Date(at.getTime() + 30 * dayMs)].map((time) => startOfIds(prefixes[table], time));
  await fixture.owner.query(`DROP TABLE IF EXISTS partitions.${table}_before`);
  await fixture.owner.query(`CREATE TABLE partitions.${name} PARTITION OF ${table} FOR VALUES FROM ('${since}') TO ('${until}')`);
  return name;
}

const insertCall = `INSERT INTO audit_log (id, institution_id, at, actor_kind, actor_id, operation, method, path, target, changed, request_id)
  VALUES ($1, $2, $3, 'key', 'key_1', 'createStudent', 'POST', '/v1/students', '{}', '{}', 'req_1')`;
const insertSignal = "INSERT INTO attempt_events (attempt_id, id, institution_id, type, at) VALUES ($1, $2, $3, 'focus_lost', now())";

/** Runs a statement of the owner past the keys to others. */
async function past(text: string, values: unknown[]): Promise<void> {
  await fixture.owner.query('SET session_replication_role = replica');
  await fixture.owner.query(text, values);
  await fixture.owner.query('RESET session_replication_role');
}

afterEach(async () => {
  for (const table of histories) {
    const seeded = (await partitionsOf(table)).filter((part) => part.includes('_old_'));
    for (const part of seeded) await fixture.owner.query(`DROP TABLE partitions.${part}`);
  }
});

it.each(histories)('%s: a row is found by its id in one partition', async (table) => {
  await keep(table);
  const { rows } = await fixture.owner.query<Record<'QUERY PLAN', string>>(`EXPLAIN SELECT 1 FROM ${table} WHERE ${keyOf[table]} = '${newId(prefixes[table])}'`);
  const scanned = rows.flatMap((row) => /(?:Seq|Heap|Index|Index Only) Scan (?:using \S+ )?on (\S+)/.exec(row['QUERY PLAN'].replace(/Bitmap Index Scan.*/, ''))?.[1] ?? []);
  expect(scanned).toEqual([expect.stringContaining(table)]);
});

it('the service has no way to a partition but the table', async () => {
  for (const table of histories) {
    await keep(table);
    for (const part of [...(await partitionsOf(table)), `${table}_default`]) {
      for (const text of [`SELECT 1 FROM partitions.${part}`, `DELETE FROM partitions.${part}`, `DROP TABLE partitions.${part}`]) {
        await expect(sql(text)).rejects.toMatchObject({ code: '42501' });
      }
    }
  }
});

it('the partitions of the audit log refuse what it refuses, to its owner too', async () => {
  const old = await seedMonth('audit_log', daysBefore(new Date(), 100));
  await keep('audit_log');
  const id = idAt(daysBefore(new Date(), 90), 'aud');
  await fixture.owner.query(insertCall, [id, fixture.institution.id, daysBefore(new Date(), 90)]);
  expect(await partOf('audit_log', id)).toEqual([`partitions.${old}`]);
  for (const text of [`UPDATE partitions.${old} SET path = ''`, `DELETE FROM partitions.${old}`, 'TRUNCATE partitions.audit_log_default', 'TRUNCATE audit_log']) {
    await expect(fixture.owner.query(text)).rejects.toThrow('the audit log is append-only');
  }
  const made = (await partitionsOf('audit_log')).filter((part) => part !== old);
  expect(made.length).toBeGreaterThan(2);
  for (const part of made) await expect(fixture.owner.query(`TRUNCATE partitions.${part}`)).rejects.toThrow('the audit log is append-only');
});

it('a month of the audit log is dropped when it was over 400 days ago, but not while the database says that an entry of it is younger', async () => {
  const [over, younger] = [await seedMonth('audit_log', daysBefore(new Date(), 500)), await seedMonth('audit_log', daysBefore(new Date(), 465))];
  const notOver = await seedMonth('audit_log', daysBefore(new Date(), 425));
  await fixture.owner.query(insertCall, [idAt(daysBefore(new Date(), 480), 'aud'), fixture.institution.id, daysBefore(new Date(), 480)]);
  await fixture.owner.query(insertCall, [idAt(daysBefore(new Date(), 450), 'aud'), fixture.institution.id, daysBefore(new Date(), 399)]);
  expect(await keep('audit_log')).toBe(1);
  expect(await partitionsOf('audit_log')).not.toContain(over);
  expect(await partitionsOf('audit_log')).toEqual(expect.arrayContaining([younger, notOver]));
});

it('a period of attempts at deliveries is dropped 90 days after its end, but not while one of its deliveries is there', async () => {
  const old = await seedMonth('webhook_attempts', daysBefore(new Date(), 130));
  const endpointId = await seedEndpoint(fixture.api, fixture.institution, 'https://receiver.example/');
  const id = idAt(daysBefore(new Date(), 120), 'whd');
  await seedDelivery(fixture.api, fixture.institution, endpointId, { id, status: 'delivered', attempts: 1, deliveredAt: new Date() });
  await seedDeliveryAttempt(fixture.api, id);
  expect(await partOf('webhook_attempts', id)).toEqual([`partitions.${old}`]);
  expect(await keep('webhook_attempts')).toBe(0);
  await sql('DELETE FROM webhook_deliveries WHERE id = $1', [id]);
  expect(await keep('webhook_attempts')).toBe(1);
  expect(await partOf('webhook_attempts', id)).toEqual([]);
});

it('a period of deliveries is dropped 90 days after its end with the refs of those that have ended, and its attempts follow', async () => {
  const from = daysBefore(new Date(), 130);
  const parts = [await seedMonth('webhook_deliveries', from), await seedMonth('webhook_attempts', from)];
  const younger = await seedMonth('webhook_deliveries', daysBefore(new Date(), 100));
  const endpointId = await seedEndpoint(fixture.api, fixture.institution, 'https://receiver.example/', { status: 'paused', pausedAt: new Date() });
  const [ended, open] = [idAt(daysBefore(new Date(), 120), 'whd'), idAt(daysBefore(new Date(), 121), 'whd')];
  await seedDelivery(fixture.api, fixture.institution, endpointId, { id: ended, status: 'dead', attempts: 1 });
  await seedDelivery(fixture.api, fixture.institution, endpointId, { id: open, status: 'held', attempts: 1 });
  for (const id of [ended, open]) {
    await seedDeliveryAttempt(fixture.api, id);
    await sql("INSERT INTO webhook_replays (institution_id, delivery_id, ref, cycle, created_at) VALUES ($1, $2, 'again', 2, now())", [fixture.institution.id, id]);
  }
  const refs = () => sql('SELECT delivery_id FROM webhook_replays WHERE delivery_id = ANY ($1)', [[ended, open]]);
  expect(await keep('webhook_deliveries')).toBe(1);
  expect(await partitionsOf('webhook_deliveries')).toEqual(expect.arrayContaining([younger]));
  expect([await partOf('webhook_deliveries', ended), await refs()]).toEqual([[], [{ delivery_id: open }]]);
  expect(await keep('webhook_attempts')).toBe(0);
  await sql('DELETE FROM open_deliveries WHERE id = $1', [open]);
  expect(await keep('webhook_attempts')).toBe(1);
  expect([...(await partitionsOf('webhook_deliveries')), ...(await partitionsOf('webhook_attempts'))].filter((part) => parts.includes(part))).toEqual([]);
});

it('attempts are looked at after their deliveries', async () => {
  const tables = await listPartitionedTables(fixture.api.api.domain.database.sql);
  expect(tables.indexOf('webhook_attempts')).toBeGreaterThan(tables.indexOf('webhook_deliveries'));
});

it('the events of attempts are kept, at any time after the end of their month', async () => {
  const old = await seedMonth('attempt_events', new Date(Date.UTC(2020, 0)));
  expect(await keep('attempt_events')).toBe(0);
  expect(await partitionsOf('attempt_events')).toContain(old);
});

it('an attempt at a delivery is counted in the statistics of its endpoint, whichever partition it is in', async () => {
  await seedMonth('webhook_attempts', daysBefore(new Date(), 60));
  const endpointId = await seedEndpoint(fixture.api, fixture.institution, 'https://receiver.example/');
  for (const created of [daysBefore(new Date(), 50), new Date()]) {
    const id = idAt(created, 'whd');
    await seedDelivery(fixture.api, fixture.institution, endpointId, { id, status: 'delivered', attempts: 1, deliveredAt: new Date() });
    await seedDeliveryAttempt(fixture.api, id);
  }
  expect(await sql('SELECT sum(attempts)::int AS attempts FROM endpoint_statistics WHERE endpoint_id = $1', [endpointId])).toEqual([{ attempts: 2 }]);
});

it('rows of several partitions, which may have the same ctid in each, are erased, at most the given number at a time', async () => {
  await seedMonth('attempt_events', daysBefore(new Date(), 60));
  const institution = await fixture.api.institution();
  const attempts = [idAt(daysBefore(new Date(), 50), 'att'), idAt(new Date(), 'att')];
  for (const attempt of attempts) for (const id of ['one', 'two']) await past(insertSignal, [attempt, id, institution.id]);
  const scope = institutionScope(fixture.api.api.domain.database, institution.id);
  const erased: number[] = [];
  for (let chunk = 0; chunk < 3; chunk += 1) erased.push((await eraseRows(scope, 'attempt_events', 3)).length);
  expect(erased).toEqual([3, 1, 0]);
});

it('the planner knows how many rows the partitions of each table have together, after each pass', async () => {
  const known = async () => (await fixture.owner.query<{ tablename: string }>("SELECT DISTINCT tablename FROM pg_stats WHERE inherited AND schemaname = 'public' ORDER BY 1")).rows.map(({ tablename }) => tablename);
  await fixture.seedPartition('events_seen', new Date(Date.now() - dayMs));
  await past(insertSignal, [newId('att'), 'one', fixture.institution.id]);
  await fixture.owner.query(insertCall, [newId('aud'), fixture.institution.id, new Date()]);
  await fixture.keep();
  expect(await known()).toEqual(expect.arrayContaining(['attempt_events', 'audit_log', 'events']));
  await sql("SELECT analyze_partitioned('users')");
  expect((await fixture.owner.query("SELECT 1 FROM pg_stat_user_tables WHERE relname = 'users' AND last_analyze IS NOT NULL")).rows).toEqual([]);
});

it('every partitioned table has a default partition, and is known to the pass', async () => {
  const { rows } = await fixture.owner.query<{ name: string }>("SELECT relname AS name FROM pg_class WHERE relkind = 'p' AND relnamespace = 'public'::regnamespace ORDER BY 1");
  const counted = await sql<{ name: string }>('SELECT name FROM rows_without_partition() ORDER BY name');
  expect(counted.map(({ name }) => name)).toEqual(rows.map(({ name }) => name));
  expect(counted.map(({ name }) => name)).toEqual(['attempt_events', 'audit_log', 'disclosures', 'events', 'webhook_attempts', 'webhook_deliveries']);
});
