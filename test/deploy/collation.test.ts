import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { localeArguments, withConnection } from '../../local/programs/postgres';
import { codeBlock } from '../support/documents';
import { createEmptyDatabase, stack } from '../support/stack';

const root = join(__dirname, '../..');
const parser = join(root, 'test/support/readYaml.mjs');
const compose = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
const { services }: { services: { postgres: { environment: Record<string, string> } } } = JSON.parse(execFileSync(process.execPath, [parser], { input: compose, encoding: 'utf8' }));

/** The arguments of initdb by their names. */
const byName = (written: readonly string[]): Record<string, string> => Object.fromEntries(written.map((argument) => argument.split('=')));

const composed = byName((services.postgres.environment.POSTGRES_INITDB_ARGS ?? '').split(' '));

const providers: Record<string, string> = { b: 'builtin', c: 'libc', i: 'icu' };

interface Catalog {
  encoding: string;
  provider: string;
  locale: string | null;
  collate: string;
}

/** How a database compares and sorts texts, in the words of initdb. */
async function localeOf(url: string): Promise<Record<string, string>> {
  const { rows: [row] } = await withConnection(url, (client) =>
    client.query<Catalog>(
      `SELECT pg_encoding_to_char(encoding) AS encoding, datlocprovider AS provider, datlocale AS locale, datcollate AS collate
         FROM pg_database WHERE datname = current_database() AND datcollate = datctype`,
    ));
  return {
    '--encoding': row?.encoding ?? '', '--locale': row?.collate ?? '',
    '--locale-provider': providers[row?.provider ?? ''] ?? '', '--builtin-locale': row?.locale ?? '',
  };
}

afterAll(async () => (await stack()).stop());

it("Compose's Postgres compares and sorts texts as the database of the tests and that of npm start do", async () => {
  expect(composed).toEqual(await localeOf((await stack()).ownerDatabaseUrl));
  expect(byName(localeArguments)).toEqual(composed);
});

it('so does a database that is made by the statement of docs/operations/overview.md', async () => {
  const { url, drop } = await createEmptyDatabase();
  const name = new URL(url).pathname.slice(1);
  await drop();
  const statement = codeBlock('docs/operations/overview.md', 'database.sql');
  await withConnection((await stack()).ownerDatabaseUrl, (client) => client.query(statement.replace('institution', name)));
  expect(await localeOf(url)).toEqual(composed);
  await drop();
});

it('texts are sorted by code point, and compared without case in every script', async () => {
  const { ownerDatabaseUrl } = await stack();
  const { rows: [row] } = await withConnection(ownerDatabaseUrl, (client) =>
    client.query<{ sorted: string[]; same: boolean }>(
      `SELECT array_agg(name ORDER BY name) AS sorted, 'École' ILIKE '%éCO%' AND lower('ШКОЛА') = 'школа' AS same
         FROM unnest(ARRAY['b', 'É', 'a', 'B', 'é', 'A', '-a']) AS name`,
    ));
  expect(row).toEqual({ sorted: ['-a', 'A', 'B', 'a', 'b', 'É', 'é'], same: true });
});
