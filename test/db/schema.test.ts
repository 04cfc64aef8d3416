import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../local/projectRoot';
import { withConnection } from '../../local/programs/postgres';
import { schemaFiles } from '../schema/schemaFiles';
import { dumpSchemaAt } from '../support/migrations';
import { createEmptyDatabase, stack, type TestStack } from '../support/stack';

const kept = (path: string): string => readFileSync(join(projectRoot(), path), 'utf8');

let own: TestStack;

beforeAll(async () => {
  own = await stack();
});

afterAll(() => own.stop());

it('db/schema.sql and each file of db/functions are what a migrated database says: run "npm run schema" after a new migration', async () => {
  const files = await withConnection(own.ownerDatabaseUrl, schemaFiles);
  const functions = readdirSync(join(projectRoot(), 'db/functions')).map((name) => `db/functions/${name}`);
  expect(functions.sort()).toEqual([...files.keys()].filter((path) => path.startsWith('db/functions/')).sort());
  for (const [path, text] of files) expect([path, kept(path)]).toEqual([path, text]);
});

it('db/schema.sql, run by itself, makes the schema that the migrations make', async () => {
  const { url, drop } = await createEmptyDatabase();
  const script = kept('db/schema.sql').replace(/^\\ir (.+)$/gm, (_line, path: string) => kept(`db/${path}`));
  await withConnection(url, (client) => client.query(script));
  // Postgres may write a condition that it read from text with fewer parentheses.
  const linesAt = async (at: string): Promise<string[]> => (await dumpSchemaAt(at)).map((line) => line.replace(/[()]/g, '')).sort();
  expect(await linesAt(url)).toEqual(await linesAt(own.ownerDatabaseUrl));
  await drop();
});

it('a kind of thing that the files cannot show is refused', async () => {
  const { url, drop } = await createEmptyDatabase();
  await withConnection(url, async (client) => {
    await client.query("CREATE MATERIALIZED VIEW today AS SELECT current_date; CREATE TYPE mood AS ENUM ('calm'); CREATE SEQUENCE tickets");
    await expect(schemaFiles(client)).rejects.toThrow(/cannot show m today, S tickets, type mood/);
  });
  await drop();
});
