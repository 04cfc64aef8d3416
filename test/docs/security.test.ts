import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sealedColumns, sealedTables } from '../../db/repositories/secrets/sealedColumns';
import { withConnection } from '../../local/programs/postgres';
import { codeRows, readDocument, section } from '../support/documents';
import { testsNamedIn } from '../support/namedTests';
import { stack } from '../support/stack';

const root = join(__dirname, '../..');
const page = readDocument('docs/security.md');

/** The tests that the page names, each with its file. */
const named = codeRows(page).filter(([file = '']) => file.startsWith('test/')).map(([file = '', name = '']) => [file, name] as const);

describe('docs/security.md', () => {
  it.each(named)('names a test that exists: %s, %s', (file, name) => {
    expect(existsSync(join(root, file))).toBe(true);
    expect(testsNamedIn(file)).toContain(name);
  });

  it('has the ten risks in their order, each with what defends against it and a test', () => {
    const heads = [...page.matchAll(/^## (API\d+): .+$/gm)].map(([head, risk]) => ({ head, risk }));
    expect(heads.map(({ risk }) => risk)).toEqual(Array.from({ length: 10 }, (_, index) => `API${index + 1}`));
    for (const { head } of heads) expect([head, section('docs/security.md', head).includes('| `test/')]).toEqual([head, true]);
  });

  it('names files and folders that exist', () => {
    const paths = [...page.matchAll(/`((?:api|config|console|db|domain|lib|outbound|activities|worker)\/[\w./]+?)\/?`/g)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(30);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

it('every column that is sealed is bound to its place, counted and resealed', async () => {
  const { databaseUrl, stop } = await stack();
  const known = sealedTables.flatMap((table) => sealedColumns[table].map((column) => `${table}.${column}`));
  const sealed = await withConnection(databaseUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name LIKE '%\\_sealed'",
    );
    return rows.map(({ name }) => name);
  });
  await stop();
  expect(sealed.length).toBeGreaterThan(0);
  expect(known.sort()).toEqual(sealed.sort());
});
