import type { Client } from 'pg';
import { migrations } from '../../../db/migrations';
import { startOfIds, type IdPrefix } from '../../../domain/ids';
import { withConnection } from '../../../local/programs/postgres';
import { startDedicatedPostgres, type DedicatedPostgres } from '../../support/dedicatedPostgres';
import { eventually } from '../../support/eventually';
import { migrateList } from '../../support/migrations';
import { dayMs } from '../../support/partitions';
import { createEmptyDatabase } from '../../support/stack';

const upTo = (name: string) => migrations.slice(0, migrations.findIndex((migration) => migration.name.startsWith(name)) + 1);

/** Each lock is waited for 200 ms, and a busy machine adds to that; a lock that is waited for 2 s, or by autovacuum's grace of 1 s, is too much. */
const shortLockTimeout = "SET lock_timeout = '700ms'";

/** As a call that writes does. */
const write = (client: Client, table: string): Promise<unknown> => client.query(`BEGIN; LOCK TABLE ${table} IN ROW EXCLUSIVE MODE; COMMIT`);

/** What an earlier try has left: the bound, which the exchange of the tables follows. */
const addBound = (table: string, column: string, prefix: IdPrefix): string =>
  `ALTER TABLE ${table} ADD CONSTRAINT ${table}_before CHECK (${column} < '${startOfIds(prefix, new Date(Date.now() + 40 * dayMs))}')`;

it.each([
  ['Partitions', 'events', 'events', addBound('events', 'id', 'evt')],
  ['AttemptEventPartitions', 'attempt_events', 'attempts', addBound('attempt_events', 'attempt_id', 'att')],
  ['AuditLogPartitions', 'audit_log', 'audit_log', ''],
  ['DeliveryPartitions', 'open_deliveries', 'webhook_deliveries', ''],
])('%s, behind an open reader of %s, holds up nobody for longer than a moment, says whom it waits for, and goes on when the reader ends', async (name, table, alsoLocked, before) => {
  const { url, drop } = await createEmptyDatabase();
  await migrateList(url, upTo(name).slice(0, -1));
  await withConnection(url, (reader) =>
    withConnection(url, async (other) => {
      await other.query(before);
      await other.query(shortLockTimeout);
      const { rows } = await reader.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await reader.query(`BEGIN; SELECT 1 FROM ${table}`);
      const reports: string[] = [];
      const migrating = migrateList(url, upTo(name), { report: (line) => reports.push(line) });
      await eventually('a try that gives up, while others write', async () => {
        for (const locked of [table, alsoLocked]) await write(other, locked);
        return reports.length > 0;
      });
      expect(reports[0]).toMatch(new RegExp(`^Migration ${name}\\d+, try 1 of 30: ${table} is locked by process ${rows[0]?.pid ?? 0} `));
      await reader.query('COMMIT');
      await migrating;
      const partitioned = name === 'DeliveryPartitions' ? alsoLocked : table;
      expect((await other.query('SELECT part FROM partitions_of($1)', [partitioned])).rows).toContainEqual({ part: `${partitioned}_before` });
    }),
  );
  await drop();
});

describe('on a server of its own', () => {
  let postgres: DedicatedPostgres;

  beforeAll(async () => {
    postgres = await startDedicatedPostgres();
  });

  afterAll(() => postgres.stop());

  it('autovacuum gives way to the partitions of its table, and nobody else waits for that', async () => {
    const url = new URL(postgres.url);
    await withConnection(postgres.url, async (client) => {
      await client.query("ALTER SYSTEM SET autovacuum_naptime = '1s'");
      await client.query('SELECT pg_reload_conf()');
      await client.query('CREATE DATABASE vacuumed');
    });
    url.pathname = '/vacuumed';
    await migrateList(url.href, upTo('AuditLogPartitions').slice(0, -1));
    await withConnection(url.href, async (other) => {
      // Slowly: a page takes a tenth of a second.
      await other.query('ALTER TABLE audit_log SET (autovacuum_vacuum_insert_threshold = 1, autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1)');
      await other.query(`INSERT INTO audit_log (id, institution_id, at, actor_kind, actor_id, operation, method, path, target, changed, request_id)
        SELECT 'aud_0000000000' || n, 'ins_1', now(), 'key', 'key_1', 'createStudent', 'POST', '/v1/students', '{}', '{}', 'req_1' FROM generate_series(1, 20000) n`);
      await eventually('autovacuum', async () => (await other.query("SELECT 1 FROM pg_stat_progress_vacuum WHERE relid = 'audit_log'::regclass")).rowCount === 1);
      await other.query(shortLockTimeout);
      const reports: string[] = [];
      let migrated = false;
      const migrating = migrateList(url.href, upTo('AuditLogPartitions'), { report: (line) => reports.push(line) }).then(() => { migrated = true; });
      await eventually('the partitions, while others write', async () => {
        await write(other, 'audit_log');
        return migrated;
      });
      await migrating;
      expect(reports).toEqual([]);
    });
  });
});
