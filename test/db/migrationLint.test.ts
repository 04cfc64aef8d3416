import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createMigrationDataSource } from '../../db/migrate';
import { migrations } from '../../db/migrations';
import { buildConcurrently, buildUniqueConcurrently } from '../../db/migrations/concurrentIndexes';
import { withConnection } from '../../local/programs/postgres';
import { exceptions, releasedBefore } from '../support/migrationLint/exceptions';
import { lintMigration } from '../support/migrationLint/lintMigration';
import { rowsOf0100 } from '../support/migrationLint/rows';
import { migrateUpTo } from '../support/migrations';
import { createEmptyDatabase } from '../support/stack';

/** Runs the linter on a database; the migrations that it lints stay done. */
async function withLinter(url: string, work: (lint: (migration: MigrationInterface) => Promise<string[]>) => Promise<void>): Promise<void> {
  const source = await createMigrationDataSource(url).initialize();
  const runner = source.createQueryRunner();
  try {
    await work(async (migration) => (await lintMigration(runner, migration)).map(({ rule, what }) => `${rule}: ${what}`));
  } finally {
    await runner.release();
    await source.destroy();
  }
}

const released = Object.values(releasedBefore).flatMap((release) => release.migrations);
const linted = migrations.slice(released.length);

it('each migration since 0.10.0 breaks no rule, or says why it may; each reason is needed', async () => {
  const { url, drop } = await createEmptyDatabase();
  // The last one that was released runs on rows, and breaks none either.
  await migrateUpTo(url, released.length - 1);
  await withConnection(url, (client) => client.query(rowsOf0100));
  await withLinter(url, async (lint) => {
    for (const Migration of migrations.slice(released.length - 1)) {
      const allowed = (exceptions[Migration.name] ?? []).map(({ rule, what }) => `${rule}: ${what}`);
      const findings = await lint(new Migration());
      expect({ migration: Migration.name, findings: findings.sort() }).toEqual({ migration: Migration.name, findings: allowed.sort() });
    }
  });
  await drop();
});

it('each migration is linted that was not released before the rules, and exceptions are of these alone', () => {
  expect(migrations.slice(0, released.length).map(({ name }) => name)).toEqual(released);
  expect(Object.keys(exceptions).filter((name) => !linted.some((migration) => migration.name === name))).toEqual([]);
});

/** The schema of a release before, with rows. */
const before = `
CREATE TABLE halls (id integer PRIMARY KEY, name text NOT NULL DEFAULT 'Hall');
CREATE TABLE rooms (id integer PRIMARY KEY, hall_id integer, name text, seats integer, checked integer);
INSERT INTO halls SELECT n FROM generate_series(1, 10) n;
INSERT INTO rooms SELECT n, n, 'Room', 30, 1 FROM generate_series(1, 10) n;
CREATE TABLE visits (id integer PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE visits_1 PARTITION OF visits FOR VALUES FROM (0) TO (10);
CREATE TABLE visits_2 PARTITION OF visits FOR VALUES FROM (10) TO (20);
ANALYZE halls, rooms;
CREATE FUNCTION seats_in(hall integer) RETURNS bigint LANGUAGE sql STABLE AS 'SELECT sum(seats) FROM rooms WHERE hall_id = hall';
`;

type Up = (runner: QueryRunner) => Promise<void>;

/** Statements, each a call. */
const statements = (...texts: string[]): Up => async (runner) => {
  for (const text of texts) await runner.query(text);
};

const migrationOf = (up: Up): MigrationInterface => ({ name: 'Linted1000000000000', up, down: () => Promise.resolve() });

/** The same, without a transaction. */
const repeatable = (up: Up): MigrationInterface => ({ ...migrationOf(up), transaction: false });

describe('the linter', () => {
  let url: string;
  let drop: () => Promise<void>;

  beforeEach(async () => {
    ({ url, drop } = await createEmptyDatabase());
    await withConnection(url, (client) => client.query(before));
  });

  afterEach(() => drop());

  it.each<[string, MigrationInterface, string[]]>([
    ['a column whose default each row computes', migrationOf(statements('ALTER TABLE rooms ADD COLUMN made_at timestamptz DEFAULT clock_timestamp()')), ['rewrite: rooms', 'rewrite: rooms_pkey', 'rows-under-lock: rooms']],
    ['a column of another type', migrationOf(statements('ALTER TABLE rooms ALTER COLUMN seats TYPE bigint')), ['contract: rooms.seats', 'rewrite: rooms', 'rewrite: rooms_pkey', 'rows-under-lock: rooms']],
    ['a check over all rows', migrationOf(statements('ALTER TABLE rooms ADD CONSTRAINT rooms_seats CHECK (seats > 0)')), ['rows-under-lock: rooms']],
    ['a column that comes with a check', migrationOf(statements('ALTER TABLE rooms ADD COLUMN floor integer CHECK (floor > 0)')), ['rows-under-lock: rooms']],
    ['a check that is validated in the transaction that adds it', migrationOf(statements('ALTER TABLE rooms ADD CONSTRAINT rooms_seats CHECK (seats > 0) NOT VALID', 'ALTER TABLE rooms VALIDATE CONSTRAINT rooms_seats')), ['rows-under-lock: rooms']],
    ['rows that are filled while another table is locked', migrationOf(statements('ALTER TABLE halls ADD COLUMN floor integer', 'UPDATE rooms SET seats = 0 WHERE id = 1')), ['rows-under-lock: rooms']],
    ['a foreign key over all rows', migrationOf(statements('ALTER TABLE rooms ADD CONSTRAINT rooms_hall FOREIGN KEY (hall_id) REFERENCES halls (id)')), ['rows-under-lock: halls', 'rows-under-lock: rooms', 'validated-under-lock: rooms']],
    ['an index that writers wait for', migrationOf(statements('CREATE INDEX rooms_by_name ON rooms (name)')), ['index-not-concurrent: rooms_by_name', 'rows-under-lock: rooms']],
    ['a unique key that builds its index', migrationOf(statements('ALTER TABLE rooms ADD CONSTRAINT rooms_unique UNIQUE (hall_id, id)')), ['index-not-concurrent: rooms_unique', 'rows-under-lock: rooms']],
    ['NOT NULL without a check', migrationOf(statements('ALTER TABLE rooms ALTER COLUMN name SET NOT NULL')), ['not-null-without-check: rooms.name', 'rows-under-lock: rooms']],
    ['a column that goes', migrationOf(statements('ALTER TABLE rooms DROP COLUMN name')), ['contract: rooms.name']],
    ['a column with another name', migrationOf(statements('ALTER TABLE rooms RENAME COLUMN name TO title')), ['contract: rooms.name']],
    ['a table that goes', migrationOf(statements('DROP TABLE rooms')), ['contract: rooms']],
    ['a table with another name', migrationOf(statements('ALTER TABLE rooms RENAME TO places')), ['contract: rooms']],
    ['a function that goes', migrationOf(statements('DROP FUNCTION seats_in(integer)')), ['contract: seats_in(integer)']],
    ['a column that inserts must name', migrationOf(statements('ALTER TABLE rooms ADD COLUMN floor integer NOT NULL DEFAULT 1', 'ALTER TABLE rooms ALTER COLUMN floor DROP DEFAULT')), ['required-column: rooms.floor']],
    ['a default that inserts need', migrationOf(statements('ALTER TABLE halls ALTER COLUMN name DROP DEFAULT')), ['required-column: halls.name']],
    ['a table that is waited for while another is locked', migrationOf(statements('ALTER TABLE rooms ADD COLUMN floor integer', 'ALTER TABLE halls ADD COLUMN floor integer')), ['several-tables: halls', 'several-tables: rooms']],
    ['the same in one call', repeatable(statements('LOCK TABLE halls, rooms IN SHARE ROW EXCLUSIVE MODE')), ['several-tables: halls', 'several-tables: rooms']],
    ['each statement of a migration without a transaction', repeatable(statements('ALTER TABLE rooms ADD CONSTRAINT rooms_seats CHECK (seats > 0)', 'ALTER TABLE rooms DROP COLUMN name')), ['contract: rooms.name', 'rows-under-lock: rooms']],
    ['what is done in a transaction of its own', repeatable(async (runner) => {
      await runner.startTransaction();
      await statements('ALTER TABLE rooms ADD COLUMN floor integer', 'UPDATE rooms SET seats = 0')(runner);
      await runner.commitTransaction();
      await statements('UPDATE rooms SET seats = 1')(runner);
    }), ['rows-under-lock: rooms']],
    ['several statements in one call', migrationOf(statements('CREATE TABLE annexes (id integer); ALTER TABLE rooms DROP COLUMN name; CREATE INDEX rooms_seats ON rooms (seats)')), ['contract: rooms.name', 'index-not-concurrent: rooms_seats', 'rows-under-lock: rooms']],
  ])('refuses %s', async (_what, migration, findings) => {
    await withLinter(url, async (lint) => {
      expect((await lint(migration)).sort()).toEqual(findings);
    });
  });

  it('refuses a table that is locked for longer than 500 ms', async () => {
    await withLinter(url, async (lint) => {
      expect(await lint(migrationOf(statements('ALTER TABLE rooms ADD COLUMN floor integer', 'SELECT pg_sleep(0.6)')))).toEqual([expect.stringMatching(/^held: rooms for \d+ ms$/)]);
    });
  });

  it.each<[string, MigrationInterface]>([
    ['a column with a constant default', migrationOf(statements('ALTER TABLE rooms ADD COLUMN floor integer NOT NULL DEFAULT 1'))],
    ['a new table, its indexes, its keys to others and its rows', migrationOf(statements('CREATE TABLE annexes (id integer PRIMARY KEY, room_id integer REFERENCES rooms (id)); CREATE INDEX annexes_room ON annexes (room_id)', 'INSERT INTO annexes VALUES (1, NULL)'))],
    ['a new column that refers to another table', migrationOf(statements('ALTER TABLE rooms ADD COLUMN second_hall_id integer REFERENCES halls (id)'))],
    ['a check that is not validated', migrationOf(statements('ALTER TABLE rooms ADD CONSTRAINT rooms_seats CHECK (seats > 0) NOT VALID'))],
    ['checks and keys that are validated in transactions of their own', repeatable(statements(
      'ALTER TABLE rooms ADD CONSTRAINT rooms_seats CHECK (seats > 0) NOT VALID',
      'ALTER TABLE rooms VALIDATE CONSTRAINT rooms_seats',
      'ALTER TABLE rooms ADD CONSTRAINT rooms_hall FOREIGN KEY (hall_id) REFERENCES halls (id) NOT VALID',
      'ALTER TABLE rooms VALIDATE CONSTRAINT rooms_hall',
    ))],
    ['NOT NULL after a validated check', repeatable(statements(
      'ALTER TABLE rooms ADD CONSTRAINT rooms_checked CHECK (checked IS NOT NULL) NOT VALID',
      'ALTER TABLE rooms VALIDATE CONSTRAINT rooms_checked',
      'ALTER TABLE rooms ALTER COLUMN checked SET NOT NULL',
    ))],
    ['an index built concurrently', repeatable((runner) => buildConcurrently(runner, { rooms_by_name: 'rooms (name)' }))],
    ['a unique key on an index built concurrently', repeatable(async (runner) => {
      await buildUniqueConcurrently(runner, { rooms_unique: 'rooms (hall_id, id)' });
      await runner.query('ALTER TABLE rooms ADD CONSTRAINT rooms_unique UNIQUE USING INDEX rooms_unique');
    })],
    ['one table after the other', repeatable(statements('ALTER TABLE rooms ADD COLUMN floor integer', 'ALTER TABLE halls ADD COLUMN floor integer'))],
    ['a foreign key in the place of another', repeatable(statements(
      'ALTER TABLE rooms ADD CONSTRAINT rooms_hall FOREIGN KEY (hall_id) REFERENCES halls (id) NOT VALID',
      'LOCK TABLE halls, rooms IN ACCESS EXCLUSIVE MODE; ALTER TABLE rooms DROP CONSTRAINT rooms_hall',
    ))],
    ['a partitioned table, its parts with it', migrationOf(statements('ALTER TABLE visits ADD COLUMN guests integer'))],
    ['rows that are filled in chunks', repeatable(statements('ALTER TABLE rooms ADD COLUMN floor integer', 'UPDATE rooms SET floor = 1 WHERE id <= 5', 'UPDATE rooms SET floor = 1 WHERE id > 5'))],
    ['functions and triggers', migrationOf(statements('CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$', 'CREATE TRIGGER rooms_kept BEFORE UPDATE ON rooms FOR EACH ROW EXECUTE FUNCTION keep()'))],
  ])('lets %s pass', async (_what, migration) => {
    await withLinter(url, async (lint) => {
      expect(await lint(migration)).toEqual([]);
    });
  });
});
