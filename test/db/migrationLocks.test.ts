import type { Client } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildConcurrently } from '../../db/migrations/concurrentIndexes';
import { migrationLockRetry } from '../../db/runMigrations';
import { withConnection } from '../../local/programs/postgres';
import { eventually } from '../support/eventually';
import { migrateList } from '../support/migrations';
import { createEmptyDatabase } from '../support/stack';

/** Without the pauses between the tries. */
const quickRetry = { ...migrationLockRetry, pauseMs: 1, longestPauseMs: 1 };

/** Long enough for what waits to be seen. */
const shortLockTimeoutMs = 600;

let url: string;
let drop: () => Promise<void>;

beforeEach(async () => {
  ({ url, drop } = await createEmptyDatabase());
  await withConnection(url, (client) => client.query('CREATE TABLE rooms (id integer PRIMARY KEY, seats integer); INSERT INTO rooms VALUES (1, 30)'));
});

afterEach(() => drop());

/** A migration of some statements, in a transaction unless it says otherwise. */
function migrationOf(statements: string[], { transaction }: { transaction: boolean } = { transaction: true }): new () => MigrationInterface {
  return class Statements1000000000000 implements MigrationInterface {
    readonly name = 'Statements1000000000000';
    readonly transaction = transaction;

    async up(runner: QueryRunner): Promise<void> {
      for (const statement of statements) await runner.query(statement);
    }

    down = (): Promise<void> => Promise.resolve();
  };
}

/** Opens a transaction that has read the table, as a report or a backup does. */
async function openReader(client: Client): Promise<number> {
  await client.query("SET application_name = 'long report'; BEGIN");
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid FROM rooms');
  return rows[0]?.pid ?? 0;
}

const done = async (client: Client): Promise<string[]> => (await client.query<{ name: string }>('SELECT name FROM migrations')).rows.map(({ name }) => name);
const columns = async (client: Client): Promise<string[]> =>
  (await client.query<{ attname: string }>("SELECT attname FROM pg_attribute WHERE attrelid = 'rooms'::regclass AND attnum > 0 ORDER BY attnum")).rows.map(({ attname }) => attname);

describe('a migration behind an open reader', () => {
  it.each([
    ['in a transaction is tried again whole', migrationOf(['CREATE TABLE annexes (id integer)', 'ALTER TABLE rooms ADD COLUMN floor integer'])],
    ['without a transaction is repeated', migrationOf(['CREATE TABLE IF NOT EXISTS annexes (id integer)', 'ALTER TABLE rooms ADD COLUMN IF NOT EXISTS floor integer'], { transaction: false })],
  ])('%s, goes on by itself when the reader ends, and holds up nobody for longer than 2 s meanwhile', async (_what, migration) => {
    await withConnection(url, (reader) =>
      withConnection(url, async (other) => {
        const pid = await openReader(reader);
        // 2 s, and what a busy machine adds.
        await other.query("SET lock_timeout = '3500ms'");
        const reports: string[] = [];
        const migrating = migrateList(url, [migration], { report: (line) => reports.push(line) });
        await eventually('two tries, while others read and write', async () => {
          await other.query('UPDATE rooms SET seats = seats + 1');
          return reports.length >= 2;
        });
        expect(reports[0]).toMatch(new RegExp(`^Migration Statements1000000000000, try 1 of 30: rooms is locked by process ${pid} \\(role .*long report, idle in transaction, transaction since \\d{4}-`));
        await reader.query('COMMIT');
        await migrating;
        expect(await columns(other)).toEqual(['id', 'seats', 'floor']);
        expect(await done(other)).toEqual(['Statements1000000000000']);
      }),
    );
  });

  it('gives up after 30 tries, says which table and who holds its lock, and has changed nothing', async () => {
    await withConnection(url, (reader) =>
      withConnection(url, async (other) => {
        const pid = await openReader(reader);
        const reports: string[] = [];
        const migrating = migrateList(url, [migrationOf(['CREATE TABLE annexes (id integer)', 'ALTER TABLE rooms ADD COLUMN floor integer'])], {
          lockTimeoutMs: shortLockTimeoutMs,
          retry: quickRetry,
          report: (line) => reports.push(line),
        });
        await expect(migrating).rejects.toThrow(
          new RegExp(`^Migration Statements1000000000000 gave up after 30 tries: rooms is locked by process ${pid} \\(.*long report.*\\)\\. End that transaction, then migrate again\\.$`),
        );
        expect(reports).toHaveLength(29);
        expect((await other.query("SELECT to_regclass('annexes') AS annexes, to_regclass('migrations') AS migrations")).rows).toEqual([{ annexes: null, migrations: null }]);
      }),
    );
  });

  it('keeps the migrations before it, which the next run does not repeat', async () => {
    class First0999999999999 implements MigrationInterface {
      readonly name = 'First0999999999999';
      up = (runner: QueryRunner): Promise<unknown> => runner.query('CREATE TABLE annexes (id integer)');
      down = (): Promise<void> => Promise.resolve();
    }
    const list = [First0999999999999, migrationOf(['ALTER TABLE rooms ADD COLUMN floor integer'])];
    await withConnection(url, async (reader) => {
      await openReader(reader);
      await expect(migrateList(url, list, { lockTimeoutMs: shortLockTimeoutMs, retry: { ...quickRetry, tries: 2 } })).rejects.toThrow('gave up after 2 tries');
      expect(await done(reader)).toEqual(['First0999999999999']);
      await reader.query('COMMIT');
      await migrateList(url, list);
      expect(await done(reader)).toEqual(['First0999999999999', 'Statements1000000000000']);
    });
  });
});

it('a migration that waits for a row says of which table', async () => {
  await withConnection(url, async (writer) => {
    await writer.query('BEGIN; UPDATE rooms SET seats = 40');
    const migrating = migrateList(url, [migrationOf(['UPDATE rooms SET seats = 50'])], { lockTimeoutMs: shortLockTimeoutMs, retry: { ...quickRetry, tries: 2 } });
    await expect(migrating).rejects.toThrow(/gave up after 2 tries: a row of rooms is locked by process \d+/);
  });
});

it('a transaction that a migration began itself is rolled back before the next try', async () => {
  class OwnTransaction1000000000000 implements MigrationInterface {
    readonly name = 'OwnTransaction1000000000000';
    readonly transaction = false;

    async up(runner: QueryRunner): Promise<void> {
      await runner.startTransaction();
      await runner.query('CREATE TABLE annexes (id integer)');
      await runner.query('ALTER TABLE rooms ADD COLUMN floor integer');
      await runner.commitTransaction();
    }

    down = (): Promise<void> => Promise.resolve();
  }
  await withConnection(url, async (reader) => {
    await openReader(reader);
    let ended: Promise<unknown> | undefined;
    const report = (): void => {
      ended ??= reader.query('COMMIT');
    };
    await migrateList(url, [OwnTransaction1000000000000], { lockTimeoutMs: shortLockTimeoutMs, retry: quickRetry, report });
    await ended;
    expect(await columns(reader)).toEqual(['id', 'seats', 'floor']);
    expect(await done(reader)).toEqual(['OwnTransaction1000000000000']);
  });
});

it('another error is not tried again', async () => {
  const reports: string[] = [];
  await expect(migrateList(url, [migrationOf(['SELECT 1 / 0'])], { report: (line) => reports.push(line) })).rejects.toThrow('division by zero');
  expect(reports).toEqual([]);
});

it('an index that is built concurrently waits for open transactions past the lock timeout, in one try, and says so', async () => {
  class Index1000000000000 implements MigrationInterface {
    readonly name = 'Index1000000000000';
    readonly transaction = false;
    up = (runner: QueryRunner): Promise<void> => buildConcurrently(runner, { rooms_seats: 'rooms (seats)' });
    down = (): Promise<void> => Promise.resolve();
  }
  await withConnection(url, (writer) =>
    withConnection(url, async (other) => {
      await writer.query('BEGIN; UPDATE rooms SET seats = 40');
      const reports: string[] = [];
      const migrating = migrateList(url, [Index1000000000000], { lockTimeoutMs: shortLockTimeoutMs, report: (line) => reports.push(line) });
      await eventually('a build that waits for much longer than the lock timeout', () => reports.length > 0);
      expect(reports[0]).toMatch(/^Migration Index1000000000000 waits: what it needs is locked by process \d+ \(role .*idle in transaction/);
      await other.query("SET lock_timeout = '1s'; INSERT INTO rooms VALUES (2, 20)");
      await writer.query('COMMIT');
      await migrating;
      expect(reports.filter((line) => line.includes('try'))).toEqual([]);
      expect((await other.query("SELECT indisvalid FROM pg_index WHERE indexrelid = 'rooms_seats'::regclass")).rows).toEqual([{ indisvalid: true }]);
    }),
  );
});

it('a migration in a deadlock is tried again', async () => {
  await withConnection(url, (other) =>
    withConnection(url, async (look) => {
      await look.query('CREATE TABLE halls (id integer)');
      // The migration finds the deadlock, not the other.
      await other.query("SET deadlock_timeout = '1min'; BEGIN; LOCK TABLE halls IN ACCESS SHARE MODE");
      let otherReads: Promise<unknown> | undefined;
      const waits = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'rooms'::regclass AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
      class Crossing1000000000000 implements MigrationInterface {
        readonly name = 'Crossing1000000000000';

        async up(runner: QueryRunner): Promise<void> {
          await runner.query('ALTER TABLE rooms ADD COLUMN floor integer');
          if (otherReads === undefined) {
            otherReads = other.query('SELECT 1 FROM rooms; COMMIT');
            await eventually('the other waits for the migration', async () => (await look.query(waits)).rowCount === 1);
          }
          await runner.query('ALTER TABLE halls ADD COLUMN floor integer');
        }

        down = (): Promise<void> => Promise.resolve();
      }
      const reports: string[] = [];
      await migrateList(url, [Crossing1000000000000], { lockTimeoutMs: 30_000, report: (line) => reports.push(line) });
      await otherReads;
      expect(reports).toEqual(['Migration Crossing1000000000000, try 1 of 30: it was in a deadlock.']);
      expect(await done(look)).toEqual(['Crossing1000000000000']);
    }),
  );
});
