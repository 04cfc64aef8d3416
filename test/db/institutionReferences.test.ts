import { openDatabase, type Database } from '../../db/database';
import { stack, type TestStack } from '../support/stack';

let own: TestStack;
let database: Database;
let references: Reference[];

/** A foreign key between two tables that both have the id of an institution. */
interface Reference {
  name: string;
  from_table: string;
  to_table: string;
  /** Pairs, in the order of the key. */
  from_columns: string[];
  to_columns: string[];
  validated: boolean;
  /** Whether both tables must name an institution in each row. */
  never_null: boolean;
}

const columnsOf = (table: string, numbers: string): string =>
  `ARRAY(SELECT a.attname::text FROM unnest(${numbers}) WITH ORDINALITY n (attnum, place) JOIN pg_attribute a ON a.attrelid = ${table} AND a.attnum = n.attnum ORDER BY n.place)`;

const referencesBetweenInstitutions = `
  SELECT k.conname AS name, k.conrelid::regclass::text AS from_table, k.confrelid::regclass::text AS to_table,
         ${columnsOf('k.conrelid', 'k.conkey')} AS from_columns, ${columnsOf('k.confrelid', 'k.confkey')} AS to_columns,
         k.convalidated AS validated, f.attnotnull AND t.attnotnull AS never_null
    FROM pg_constraint k
    JOIN pg_attribute f ON f.attrelid = k.conrelid AND f.attname = 'institution_id' AND NOT f.attisdropped
    JOIN pg_attribute t ON t.attrelid = k.confrelid AND t.attname = 'institution_id' AND NOT t.attisdropped
   WHERE k.contype = 'f' AND k.connamespace = 'public'::regnamespace ORDER BY k.conname`;

beforeAll(async () => {
  own = await stack();
  database = await openDatabase(own.databaseUrl, 2, () => undefined);
  references = await database.sql<Reference>(referencesBetweenInstitutions);
});

afterAll(async () => {
  await database.close();
  await own.stop();
});

/** References that do not name the institution, and why none of them can leave it. */
const exceptions: Readonly<Record<string, string>> = {
  alpha_enrollments_curriculum_id_fkey: 'A curriculum of the platform has no institution, and is open to students of all.',
};

/** Entries of a ledger by its owner: both tables name the owner together with the institution, in a reference of its own. */
const ledgers: Readonly<Record<string, string>> = {
  alpha_points_chain: 'student_id',
  alpha_students_ledger: 'student_id',
  merit_moves_wallet_chain: 'user_id',
  wallets_ledger: 'user_id',
};

/** Whether a reference names the institution of both rows as one of its pairs. */
const namesInstitution = ({ from_columns, to_columns }: Reference): boolean => {
  const place = from_columns.indexOf('institution_id');
  return place !== -1 && to_columns[place] === 'institution_id';
};

it('every reference between two rows of institutions names the institution, but for those listed with a reason', () => {
  const without = references.filter((reference) => !namesInstitution(reference)).map(({ name }) => name);
  expect(without).toEqual([...Object.keys(exceptions), ...Object.keys(ledgers)].sort());
  expect(references.length).toBeGreaterThan(60);
});

it('a reference names the institution once', () => {
  for (const { name, from_columns, to_columns } of references) {
    for (const columns of [from_columns, to_columns]) expect([name, columns.filter((column) => column === 'institution_id').length]).toEqual([name, name in exceptions || name in ledgers ? 0 : 1]);
  }
});

it('a row cannot leave the institution out of its reference', () => {
  expect(references.filter((reference) => namesInstitution(reference) && !reference.never_null)).toEqual([]);
});

it('every reference holds for the rows that were there before it', () => {
  expect(references.filter(({ validated }) => !validated)).toEqual([]);
});

it('entries of a ledger are of one institution, as their owner is', () => {
  for (const [name, owner] of Object.entries(ledgers)) {
    const ledger = references.find((reference) => reference.name === name);
    expect(ledger?.from_columns[ledger.to_columns.indexOf(owner)]).toBe(owner);
    for (const table of [ledger?.from_table, ledger?.to_table]) {
      const toUser = references.find(({ from_table, to_table, from_columns }) => from_table === table && to_table === 'users' && from_columns.join() === `institution_id,${owner}`);
      expect([name, table, toUser === undefined]).toEqual([name, table, false]);
    }
  }
});

it('what is referred to has a unique key of exactly these columns', async () => {
  const keys = await database.sql<{ table_name: string; columns: string[] }>(
    `SELECT k.conrelid::regclass::text AS table_name, ${columnsOf('k.conrelid', 'k.conkey')} AS columns FROM pg_constraint k WHERE k.contype IN ('p', 'u')`,
  );
  const known = new Set(keys.map(({ table_name, columns }) => `${table_name} ${[...columns].sort().join()}`));
  expect(references.filter(({ to_table, to_columns }) => !known.has(`${to_table} ${[...to_columns].sort().join()}`))).toEqual([]);
});

it('a row that is deleted is looked for by an index that begins with its id and its institution, or whose id is unique', async () => {
  const indexes = await database.sql<{ table_name: string; columns: string[]; unique: boolean }>(
    `SELECT x.indrelid::regclass::text AS table_name, ${columnsOf('x.indrelid', 'x.indkey')} AS columns, x.indisunique AS unique FROM pg_index x WHERE x.indpred IS NULL OR x.indexrelid = 'files_attempt'::regclass`,
  );
  const serves = ({ from_table, from_columns }: Reference): boolean =>
    indexes.some(({ table_name, columns, unique }) => {
      if (table_name !== from_table) return false;
      const first = columns.slice(0, from_columns.length);
      return from_columns.every((column) => first.includes(column)) || (unique && columns.every((column) => from_columns.includes(column)));
    });
  expect(references.filter((reference) => namesInstitution(reference) && !serves(reference)).map(({ name }) => name)).toEqual([
    // Its entries are erased from the newest, and none otherwise.
    'merit_moves_allowance_chain',
  ]);
});

it('a submission, and the release of a key to a student, are of the exam and the student of their attempt', () => {
  for (const table of ['submissions', 'code_secret_releases']) {
    expect(references.filter(({ from_table, to_table }) => from_table === table && to_table === 'attempts').map(({ from_columns, to_columns }) => [from_columns, to_columns])).toEqual([
      [['institution_id', 'attempt_id', 'exam_id', 'student_id'], ['institution_id', 'id', 'exam_id', 'student_id']],
    ]);
  }
});
