import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { lockingOf } from '../support/lockedStatements';
import { textsIn, type SqlText } from '../support/sqlTexts';
import { unlockedReads } from '../support/unlockedReads';

const under = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? under(join(folder, entry.name)) : entry.name.endsWith('.ts') ? [join(folder, entry.name)] : []));

const isMigration = (path: string): boolean => path.includes('migrations');

/** The statements within the database's functions, as the last migration that defines each has them. */
function statementsOfFunctions(texts: readonly SqlText[]): SqlText[] {
  const bodies = texts.flatMap(({ text }) => [...text.matchAll(/CREATE (?:OR REPLACE )?FUNCTION (\w+)[^$]*\$\$([^]*?)\$\$/g)]);
  const last = new Map(bodies.map(([, name = '', body = '']) => [name, body]));
  return [...last].flatMap(([name, body]) => body.split(';').map((text) => ({ place: `function ${name}`, text })));
}

/** The tables that statements which lock read where they do not lock them, by the place of the statement. */
function unlockedByPlace(texts: readonly SqlText[]): Record<string, string[]> {
  const found = new Map<string, Set<string>>();
  for (const { place, text } of texts) {
    const { locks, unlocked } = lockingOf(text);
    if (locks && unlocked.length > 0) found.set(place, new Set([...(found.get(place) ?? []), ...unlocked]));
  }
  return Object.fromEntries([...found].map(([place, tables]) => [place, [...tables].sort()]));
}

it('a statement that locks reads nothing that it does not lock, but for those that say why they may', () => {
  const files = under('db');
  const texts = [...textsIn(files.filter((path) => !isMigration(path))), ...statementsOfFunctions(textsIn(files.filter(isMigration)))];
  expect(texts.filter(({ text }) => lockingOf(text).locks).length).toBeGreaterThan(150);
  expect(unlockedByPlace(texts)).toEqual(Object.fromEntries(Object.entries(unlockedReads).map(([place, { tables }]) => [place, tables])));
});

it('no statement that locks stands outside of db/', () => {
  const others = ['domain', 'api', 'activities', 'workflows', 'worker', 'lib', 'outbound', 'console', 'cli', 'config', 'local'].flatMap(under);
  const isStatement = (text: string): boolean => /^\s*(?:WITH|SELECT|UPDATE|DELETE FROM|INSERT INTO)\b/.test(text);
  expect(textsIn(others).filter(({ text }) => isStatement(text) && lockingOf(text).locks)).toEqual([]);
});

describe('what a statement locks and reads', () => {
  it.each<[string, string, boolean, string[]]>([
    ['a plain read locks nothing', 'SELECT * FROM a JOIN b ON b.id = a.id', false, ['a', 'b']],
    ['a lock without tables is one of all', 'SELECT * FROM a JOIN b ON b.id = a.id FOR UPDATE', true, []],
    ['a lock of one table leaves the others', 'SELECT * FROM a x JOIN b ON b.id = x.id FOR NO KEY UPDATE OF x SKIP LOCKED', true, ['b']],
    ['two locks are those of both', 'SELECT 1 FROM a x JOIN b AS y ON true, c FOR SHARE OF x FOR NO KEY UPDATE OF y', true, ['c']],
    ['a lateral part is read for itself', 'SELECT 1 FROM a LEFT JOIN LATERAL (SELECT * FROM b WHERE b.id = a.id ORDER BY v LIMIT 1) v ON true FOR UPDATE OF a', true, ['b']],
    ['so is a condition', 'DELETE FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.id = a.id)', true, ['b']],
    ['so is a value', 'UPDATE a SET n = (SELECT max(n) FROM b) WHERE id IN (SELECT id FROM a)', true, ['a', 'b']],
    ['what an update joins', 'UPDATE a x SET n = 1 FROM b JOIN c ON c.id = b.id WHERE x.id = b.id', true, ['b', 'c']],
    ['what a deletion uses', 'DELETE FROM a USING b WHERE a.id = b.id', true, ['b']],
    ['what the statement makes itself is no table', 'WITH due AS (SELECT id FROM a FOR UPDATE), done AS (UPDATE a SET n = 1 FROM due WHERE a.id = due.id RETURNING id) SELECT * FROM done', true, []],
    ['an upsert locks', 'INSERT INTO a (id) SELECT id FROM b ON CONFLICT (id) DO UPDATE SET n = 1', true, ['b']],
    ['functions are no tables', "UPDATE a SET n = extract(epoch FROM now()) FROM unnest($1::text[]) AS u (id) WHERE a.id = u.id AND a.n IS DISTINCT FROM 1", true, []],
  ])('%s', (_what, sql, locks, unlocked) => {
    expect(locks ? lockingOf(sql) : { ...lockingOf(sql), unlocked }).toEqual({ locks, unlocked });
  });
});
