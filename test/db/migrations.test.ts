import type { Client } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { migrate } from '../../db/migrate';
import { migrations } from '../../db/migrations';
import { withConnection } from '../../local/programs/postgres';
import { eventually } from '../support/eventually';
import { revertLastOf, dumpSchemaAt, migrationNumbers, migrateList, migrateUpTo } from '../support/migrations';
import { createEmptyDatabase } from '../support/stack';

describe('the migrations of an empty database', () => {
  it('each leave, undone, the schema from before them, and done again the same as the first time', async () => {
    const { url, drop } = await createEmptyDatabase();
    const after: string[][] = [await dumpSchemaAt(url)];
    for (const number of migrationNumbers) {
      await migrateUpTo(url, number);
      after.push(await dumpSchemaAt(url));
      expect(after[number]).not.toEqual(after[number - 1]);
      await revertLastOf(url, number);
      expect(await dumpSchemaAt(url)).toEqual(after[number - 1]);
      await migrateUpTo(url, number);
      expect(await dumpSchemaAt(url)).toEqual(after[number]);
    }
    for (const number of [...migrationNumbers].reverse()) {
      await revertLastOf(url, number);
      expect(await dumpSchemaAt(url)).toEqual(after[number - 1]);
    }
    await migrate(url);
    expect(await dumpSchemaAt(url)).toEqual(after.at(-1));
    await drop();
  });

  it('run by several processes at once are each done once', async () => {
    const { url, drop } = await createEmptyDatabase();
    await Promise.all([migrate(url), migrate(url), migrate(url)]);
    const done = await withConnection(url, async (client) => (await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY id')).rows);
    expect(done.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name));
    await drop();
  });

  it('have none of the bounds of the service: a statement takes what it takes, but waits for a lock 2 s at a time', async () => {
    const bounds: unknown[] = [];
    class ReadBounds1000000000000 implements MigrationInterface {
      async up(runner: QueryRunner): Promise<void> {
        for (const name of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) {
          const rows: unknown = await runner.query(`SHOW ${name}`);
          bounds.push(rows);
        }
      }

      down = (): Promise<void> => Promise.resolve();
    }
    const { url, drop } = await createEmptyDatabase();
    await migrateList(url, [ReadBounds1000000000000]);
    expect(bounds).toEqual([[{ statement_timeout: '0' }], [{ lock_timeout: '2s' }], [{ idle_in_transaction_session_timeout: '0' }]]);
    await drop();
  });
});

describe('the index of progress by day', () => {
  const number = migrations.findIndex(({ name }) => name.startsWith('ProgressKept')) + 1;
  const indexed = "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('alpha_progress_day')";
  const waiting = 'SELECT 1 FROM pg_locks WHERE NOT granted AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())';
  const insertProgress = (client: Client, ref: string): Promise<unknown> =>
    client.query(
      `INSERT INTO alpha_progress (student_id, ref, institution_id, enrollment_id, concept_id, score, minutes, day, created_at)
       VALUES ('stu_1', $1, 'ins_1', 'enr_1', 'c', 1, 1, '2026-11-20', '2026-11-20')`,
      [ref],
    );

  it('is built while others write', async () => {
    const { url, drop } = await createEmptyDatabase();
    await migrateUpTo(url, number - 1);
    await withConnection(url, (slow) =>
      withConnection(url, async (quick) => {
        for (const client of [slow, quick]) await client.query('SET session_replication_role = replica');
        await slow.query('BEGIN');
        await insertProgress(slow, 'slow');
        const building = migrateUpTo(url, number);
        await eventually('a build that waits for the slow writer', async () => (await quick.query(waiting)).rowCount === 1);
        await quick.query("SET lock_timeout = '1s'");
        await expect(insertProgress(quick, 'quick')).resolves.toMatchObject({ rowCount: 1 });
        await slow.query('COMMIT');
        await building;
        expect((await quick.query(indexed)).rows).toEqual([{ indisvalid: true }]);
      }),
    );
    await drop();
  });

  it('is rebuilt if an earlier build of it was interrupted', async () => {
    const { url, drop } = await createEmptyDatabase();
    await migrateUpTo(url, number - 1);
    await withConnection(url, async (client) => {
      await client.query('CREATE INDEX alpha_progress_day ON alpha_progress (day, student_id)');
      await client.query("UPDATE pg_index SET indisvalid = false WHERE indexrelid = to_regclass('alpha_progress_day')");
      await migrateUpTo(url, number);
      expect((await client.query(indexed)).rows).toEqual([{ indisvalid: true }]);
    });
    await drop();
  });
});

describe('where deliveries failed last', () => {
  const number = migrations.findIndex(({ name }) => name.startsWith('FindingDeliveries')) + 1;

  it('is migrated to the same schema again if an earlier run broke off before its end', async () => {
    const { url, drop } = await createEmptyDatabase();
    await migrateUpTo(url, number);
    const schema = await dumpSchemaAt(url);
    await withConnection(url, (client) => client.query("DELETE FROM migrations WHERE name LIKE 'FindingDeliveries%'"));
    await migrateUpTo(url, number);
    expect(await dumpSchemaAt(url)).toEqual(schema);
    await drop();
  });
});

const statuses = ['pending', 'retrying', 'held', 'delivered', 'dead', 'cancelled'];

/** Rows as the first version of the service wrote them: a delivery in each status, all but the new ones with an attempt. */
async function seedFirstRows(client: Client): Promise<void> {
  await client.query(`
    INSERT INTO institutions (id, name, status, login_domain, time_zone, config, created_at, updated_at)
    VALUES ('ins_1', 'North School', 'approved', 'north.example', 'UTC', '{}', '2026-11-20', '2026-11-20');
    INSERT INTO webhook_endpoints (id, institution_id, url, events, status, secret_sealed, consecutive_failures, created_at, updated_at)
    VALUES ('we_1', 'ins_1', 'https://receiver.example/', '{*}', 'active', 'sealed', 3, '2026-11-20', '2026-11-20');`);
  for (const status of statuses) {
    const attempted = status === 'pending' ? null : '2026-11-20T10:00:00Z';
    await client.query(
      `INSERT INTO webhook_deliveries (id, institution_id, endpoint_id, event_id, event_type, event_created_at, status, attempts, first_attempt_at, created_at)
       VALUES ('whd_00' || $1, 'ins_1', 'we_1', 'evt_' || $1, 'exam.graded', '2026-11-20', $1, $2, $3, '2026-11-20')`,
      [status, attempted === null ? 0 : 1, attempted],
    );
    if (attempted === null) continue;
    await client.query(
      `INSERT INTO webhook_attempts (delivery_id, number, institution_id, cycle, started_at, duration_ms) VALUES ('whd_00' || $1, 1, 'ins_1', 1, $2, 12)`,
      [status, attempted],
    );
  }
}

const firstColumns = {
  deliveries: 'SELECT id, endpoint_id, event_id, status, cycle, attempts, first_attempt_at, delivered_at, created_at FROM deliveries ORDER BY id',
  attempts: 'SELECT delivery_id, number, institution_id, cycle, started_at, duration_ms FROM webhook_attempts ORDER BY delivery_id',
  endpoints: 'SELECT id, url, events, status, consecutive_failures, created_at FROM webhook_endpoints',
};

async function read(client: Client): Promise<Record<string, object[]>> {
  const rows: Record<string, object[]> = {};
  const { rows: [{ view } = { view: null }] } = await client.query<{ view: string | null }>("SELECT to_regclass('deliveries') AS view");
  for (const [table, text] of Object.entries({ ...firstColumns, ...(view === null ? { deliveries: firstColumns.deliveries.replace('FROM deliveries', 'FROM webhook_deliveries') } : {}) })) rows[table] = (await client.query<object>(text)).rows;
  return rows;
}

describe('rows of the first version', () => {
  let url: string;
  let drop: () => Promise<void>;

  beforeEach(async () => {
    ({ url, drop } = await createEmptyDatabase());
    await migrateUpTo(url, 1);
    await withConnection(url, seedFirstRows);
  });

  afterEach(() => drop());

  it('survive every later migration, and its undoing', async () => {
    const before = await withConnection(url, read);
    await migrate(url);
    expect(await withConnection(url, read)).toEqual(before);
    for (const number of migrationNumbers.slice(1).reverse()) await revertLastOf(url, number);
    expect(await withConnection(url, read)).toEqual(before);
  });

  it('are completed: attempts know their endpoint, open deliveries their deadline and who retries them, held ones since when', async () => {
    await migrate(url);
    await withConnection(url, async (client) => {
      const attempts = await client.query('SELECT DISTINCT endpoint_id FROM webhook_attempts');
      expect(attempts.rows).toEqual([{ endpoint_id: 'we_1' }]);
      const deliveries = await client.query<{ status: string }>(
        'SELECT status, retried_by, held_at IS NOT NULL AS held, deadline_at IS NOT NULL AS due FROM deliveries',
      );
      const byStatus = Object.fromEntries(deliveries.rows.map(({ status, ...row }) => [status, row]));
      expect(byStatus).toMatchObject({
        pending: { retried_by: null, held: false, due: true },
        retrying: { retried_by: 'workflow', held: false, due: true },
        held: { retried_by: 'backlog', held: true, due: true },
      });
      for (const status of ['delivered', 'dead', 'cancelled']) expect(byStatus[status]).toMatchObject({ retried_by: null, held: false });
    });
  });
});
