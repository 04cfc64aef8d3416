import type { Client } from 'pg';
import { createMigrationDataSource } from '../../db/migrate';
import { migrations } from '../../db/migrations';
import { requireFilled } from '../../db/migrations/fills';
import { fillChunk, listOpenFills, readFill } from '../../db/repositories/fills/rowFills';
import { bindSql } from '../../db/statement';
import { withConnection } from '../../local/programs/postgres';
import { migrateUpTo } from '../support/migrations';
import { createEmptyDatabase } from '../support/stack';

const name = 'delivery_error_class';
const number = migrations.findIndex((migration) => migration.name.startsWith('RowFills')) + 1;

/** Runs `work` on a database of the release before with these deliveries, each with two attempts, after the migration. */
async function withDeliveries(rows: readonly (readonly [id: string, status: string, cycle: number, error: string | null])[], work: (client: Client, url: string) => Promise<void>): Promise<void> {
  const { url, drop } = await createEmptyDatabase();
  await migrateUpTo(url, number - 1);
  await withConnection(url, async (client) => {
    await client.query('SET session_replication_role = replica');
    await client.query(
      `INSERT INTO webhook_deliveries (id, institution_id, endpoint_id, event_id, event_type, event_created_at, status, attempts, cycle, created_at)
       SELECT r ->> 0, 'ins_1', 'we_1', r ->> 0, 'exam.graded', '2026-11-20', r ->> 1, 2, (r ->> 2)::int, '2026-11-20' FROM json_array_elements($1::json) r`,
      [JSON.stringify(rows)],
    );
    await client.query(
      `INSERT INTO webhook_attempts (delivery_id, number, institution_id, endpoint_id, cycle, started_at, duration_ms, error_class)
       SELECT r ->> 0, n, 'ins_1', 'we_1', 1, '2026-11-20', 12, CASE n WHEN 1 THEN 'timeout' ELSE r ->> 3 END FROM json_array_elements($1::json) r, generate_series(1, 2) n`,
      [JSON.stringify(rows)],
    );
    await migrateUpTo(url, number);
    await work(client, url);
  });
  await drop();
}

/** Fills one chunk in a transaction of its own. */
async function fill(client: Client, fillName = name): Promise<void> {
  await client.query('BEGIN');
  await fillChunk(bindSql(client), fillName).finally(() => client.query('COMMIT'));
}

const classes = async (client: Client): Promise<Record<string, string | null>> => {
  const { rows } = await client.query<{ id: string; error_class: string | null }>('SELECT id, error_class FROM webhook_deliveries ORDER BY id');
  return Object.fromEntries(rows.map(({ id, error_class }) => [id, error_class]));
};

it('a fill of an empty table has ended at once', async () => {
  const { url, drop } = await createEmptyDatabase();
  await migrateUpTo(url, number);
  await withConnection(url, async (client) => {
    expect(await listOpenFills(bindSql(client))).toEqual([]);
    expect(await readFill(bindSql(client), name)).toEqual({ seen: 0, filled: 0, total: 0, done: true });
  });
  await drop();
});

it('the error of deliveries is filled in from their last attempt, unless that is of a cycle before or they were delivered', async () => {
  await withDeliveries([['delivered', 'delivered', 1, null], ['failed', 'dead', 1, 'tls'], ['replayed', 'dead', 2, 'http'], ['waits', 'held', 1, 'http']], async (client) => {
    const sql = bindSql(client);
    expect(await listOpenFills(sql)).toEqual([name]);
    expect(await readFill(sql, name)).toMatchObject({ seen: 0, filled: 0, done: false });
    await fill(client);
    expect(await readFill(sql, name)).toEqual({ seen: 4, filled: 2, total: 4, done: true });
    expect(await classes(client)).toEqual({ delivered: null, failed: 'tls', replayed: null, waits: 'http' });
    await fill(client);
    expect(await readFill(sql, name)).toMatchObject({ seen: 4, filled: 2 });
  });
});

it('each chunk goes on where the one before ended; two at once share the rows, and look at none twice', async () => {
  const rows = Array.from({ length: 12_000 }, (_, nth) => [`whd_${String(nth).padStart(6, '0')}`, 'dead', 1, 'tls'] as const);
  await withDeliveries(rows, async (client, url) => {
    await withConnection(url, async (other) => {
      await fill(client);
      expect(await readFill(bindSql(client), name)).toMatchObject({ seen: 5_000, filled: 5_000, done: false });
      await Promise.all([fill(client), fill(other)]);
      expect(await readFill(bindSql(client), name)).toEqual({ seen: 12_000, filled: 12_000, total: 12_000, done: true });
    });
    expect(new Set(Object.values(await classes(client)))).toEqual(new Set(['tls']));
  });
});

it('a delivery that somebody is writing is left to them', async () => {
  await withDeliveries([['a', 'dead', 1, 'tls'], ['b', 'dead', 1, 'tls']], async (client, url) => {
    await withConnection(url, async (writer) => {
      await writer.query("BEGIN; UPDATE webhook_deliveries SET error_class = 'dns' WHERE id = 'a'");
      await fill(client);
      await writer.query('COMMIT');
    });
    expect(await readFill(bindSql(client), name)).toMatchObject({ seen: 2, filled: 1, done: true });
    expect(await classes(client)).toEqual({ a: 'dns', b: 'tls' });
  });
});

it('a migration that needs a column filled is refused until its fill has ended, and says what to do', async () => {
  await withDeliveries([['a', 'dead', 1, 'tls']], async (client, url) => {
    const source = await createMigrationDataSource(url).initialize();
    const runner = source.createQueryRunner();
    await expect(requireFilled(runner, name)).rejects.toThrow('The fill delivery_error_class has not ended. Run workers of the release before until "institution workflows show fill_delivery_error_class"');
    await fill(client);
    await expect(requireFilled(runner, name)).resolves.toBeUndefined();
    await runner.release();
    await source.destroy();
  });
});

it('a fill that this release does not know is an error, not nothing', async () => {
  await withDeliveries([['a', 'dead', 1, 'tls']], async (client) => {
    await expect(fill(client, 'unknown')).rejects.toThrow('This release does not know the fill unknown');
  });
});
