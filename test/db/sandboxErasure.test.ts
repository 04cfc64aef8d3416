import { erasedTables, keptTables } from '../../db/repositories/sandbox/erasure';
import { openDatabase, type Database } from '../../db/database';
import { stack, type TestStack } from '../support/stack';

let own: TestStack;
let database: Database;

beforeAll(async () => {
  own = await stack();
  database = await openDatabase(own.databaseUrl, 2, () => undefined);
});

afterAll(async () => {
  await database.close();
  await own.stop();
});

/** Tables without the id of an institution, and how their rows are an institution's. */
const withoutInstitution = {
  institutions: 'the institution itself', curriculum_concepts: 'of a curriculum', workflow_epochs: 'of the database', row_fills: 'of the database', worker_deployments: 'of the platform', migrations: 'of the database', partitioned_tables: 'of the database',
  staff: 'of the platform', staff_tokens: 'of the platform', console_sessions: 'of the platform',
};

it('every table of the schema is one that the reset of a sandbox empties, keeps for a reason, or that belongs to no institution', async () => {
  const rows = await database.sql<{ name: string; of_institution: boolean }>(
    `SELECT c.relname AS name, EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'institution_id' AND NOT a.attisdropped) AS of_institution
       FROM pg_class c WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace`,
  );
  const known = [...erasedTables, ...Object.keys(keptTables)].filter((table) => !Object.hasOwn(withoutInstitution, table));
  expect(known.sort()).toEqual(rows.filter(({ of_institution }) => of_institution).map(({ name }) => name).sort());
  expect(rows.filter(({ of_institution }) => !of_institution).map(({ name }) => name).sort()).toEqual(Object.keys(withoutInstitution).sort());
});

it('a table is emptied before those that its rows reference, and of no table are rows kept that reference one that is emptied', async () => {
  const references = await database.sql<{ from_table: string; to_table: string }>(
    `SELECT conrelid::regclass::text AS from_table, confrelid::regclass::text AS to_table FROM pg_constraint
      WHERE contype = 'f' AND conparentid = 0 AND NOT condeferrable AND conrelid <> confrelid AND confrelid <> 'institutions'::regclass`,
  );
  const order: readonly string[] = erasedTables;
  const wrong = references.filter(({ from_table, to_table }) => order.includes(to_table) && (!order.includes(from_table) || order.indexOf(from_table) > order.indexOf(to_table)));
  expect(wrong).toEqual([]);
  expect(references.length).toBeGreaterThan(50);
});
