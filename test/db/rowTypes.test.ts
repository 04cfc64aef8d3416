import type ts from 'typescript';
import { withConnection } from '../../local/programs/postgres';
import { sqlCallsIn } from '../support/rowTypes/calls';
import { readCatalog, type Catalog } from '../support/rowTypes/columns';
import { differences, unknownTexts } from '../support/rowTypes/exceptions';
import { findingsOf } from '../support/rowTypes/findings';
import { joins, type Join } from '../support/rowTypes/joins';
import { programWithSql, type ProgramWithSql } from '../support/rowTypes/program';
import { stack, type TestStack } from '../support/stack';

/** Statements with rows of a type that is wrong, and what is found in it. */
const wrong: [name: string, code: string, ...findings: string[]][] = [
  ['wrongName', "sql<{ identity: string }>('SELECT id FROM users')", 'identity: not answered', 'id: read by nobody'],
  ['tooMuch', "sql<{ id: string }>('SELECT id, kind FROM users')", 'kind: read by nobody'],
  ['countsTooMuch', "sql('SELECT id, kind FROM users')", 'id: read by nobody', 'kind: read by nobody'],
  ['textAsTime', "sql<{ id: Date }>('SELECT id FROM users')", 'id: string, not Date'],
  ['bigintAsNumber', "sql<{ users: number }>('SELECT count(*) AS users FROM users')", 'users: string, not number'],
  ['numericAsNumber', "sql<{ score: number | null }>('SELECT score FROM submissions')", 'score: string, not number'],
  ['timeAsText', "sql<{ created_at: string }>('SELECT created_at FROM users')", 'created_at: Date, not string'],
  ['timeInJson', "sql<{ all: { at: Date }[] }>('SELECT jsonb_agg(created_at) AS all FROM users')", 'all: json, not { at: Date; }[]'],
  ['listAsText', "sql<{ events: string }>('SELECT events FROM webhook_endpoints')", 'events: string[], not string'],
  ['missingNull', "sql<{ full_name: string }>('SELECT full_name FROM users')", 'full_name: may be null'],
  ['needlessNull', "sql<{ created_at: Date | null }>('SELECT created_at FROM users')", 'created_at: is never null'],
  ['missingNullOfJoin', "sql<{ number: string }>('SELECT e.login_email AS number FROM users u LEFT JOIN institution_emails e ON e.user_id = u.id')", 'number: may be null'],
  ['missingText', "sql<{ circuit: 'open' }>('SELECT circuit FROM webhook_endpoints')", "circuit: may be 'closed'"],
  ['impossibleText', "sql<{ circuit: 'open' | 'closed' | 'half' }>('SELECT circuit FROM webhook_endpoints')", "circuit: is never 'half'"],
  ['ofItsResult', "(sql(statement('by_result', 'SELECT full_name FROM users')) satisfies Promise<{ full_name: string }[]>)", 'full_name: may be null'],
  ['ofPage', "readPage<{ id: number }>(sql, { columns: 'id', from: 'users', conditions: [], order: [{ sql: 'id', type: 'text', direction: 'ASC' }] }, { page: 1, limit: 1 })", 'id: string, not number'],
];
const wrongSource = `import { readPage } from '../../page';
import { statement, type Sql } from '../../statement';
${wrong.map(([name, code]) => `export const ${name} = (sql: Sql) => ${code};`).join('\n')}
export const atRunTime = (sql: Sql, table: string) => sql<{ id: string }>(\`SELECT id FROM \${table}\`);
`;

let own: TestStack;
let source: ProgramWithSql;

beforeAll(async () => {
  own = await stack();
  source = programWithSql({ 'db/repositories/examples/wrong.ts': wrongSource });
});

afterAll(() => own.stop());

const withCatalog = <Result>(work: (catalog: Catalog) => Promise<Result>): Promise<Result> =>
  withConnection(own.ownerDatabaseUrl, async (client) => work(await readCatalog(client)));

/** What is found in files, each with its place; and how many statements were looked at. */
async function look(files: readonly ts.SourceFile[]): Promise<{ found: { place: string; finding: string }[]; statements: number; unknown: string[] }> {
  const calls = sqlCallsIn(files, source.program);
  const unknown = calls.filter(({ texts }) => texts === undefined).map(({ place }) => place);
  return withCatalog(async (catalog) => {
    const found: { place: string; finding: string }[] = [];
    let statements = 0;
    for (const { place, texts, row } of calls) {
      for (const text of texts ?? (await unknownTexts[place]?.()) ?? []) {
        statements += 1;
        for (const finding of findingsOf(row, await catalog.columnsOf(text), source.program.getTypeChecker())) found.push({ place, finding });
      }
    }
    return { found, statements, unknown };
  });
}

it('the type of the rows of each statement names its columns, of their types, and null where the schema allows it', async () => {
  const { found, statements, unknown } = await look(source.files);
  const differing = found.map(({ place, finding }) => `${place.split(' ')[0] ?? ''} ${finding}`);
  expect([...new Set(differing)].sort()).toEqual(Object.keys(differences).sort());
  expect(unknown.sort()).toEqual(Object.keys(unknownTexts).sort());
  expect(statements).toBeGreaterThan(500);
});

it('what runs statements is named sql, by which they are found', () => {
  const names = source.files.flatMap(({ text }) => [...text.matchAll(/(\w+)\??: Sql\b/g)].map(([, name]) => name));
  expect(new Set(names)).toEqual(new Set(['sql']));
  expect(names.length).toBeGreaterThan(50);
});

it('a wrong name, type or null in the type of a row is found', async () => {
  const { found, unknown } = await look([...source.inMemory, ...source.files.filter(({ fileName }) => fileName.endsWith('db/page.ts'))]);
  expect(found).toEqual(wrong.flatMap(([name, , ...findings]) => findings.map((finding) => ({ place: `examples/wrong ${name}`, finding }))));
  expect(unknown).toEqual(['examples/wrong atRunTime', 'page readAfter']);
});

it.each<[string, string, Join]>([
  ['a join', 'SELECT 1 FROM b JOIN a ON true', 'inner'],
  ['a left join', 'SELECT 1 FROM b LEFT JOIN a ON true', 'outer'],
  ['what is left of a left join', 'SELECT 1 FROM a LEFT JOIN b ON true', 'inner'],
  ['what is left of a right join', 'SELECT 1 FROM a RIGHT OUTER JOIN b ON true', 'outer'],
  ['a subquery', 'SELECT 1 FROM b LEFT JOIN LATERAL (SELECT * FROM a) c ON true', 'outer'],
  ['a part WITH', 'WITH x AS MATERIALIZED (SELECT * FROM a), y AS (SELECT * FROM x) SELECT 1 FROM b LEFT JOIN y ON true', 'outer'],
  ['two ways', 'SELECT 1 FROM a LEFT JOIN a other ON true', 'both'],
])('how a statement joins a table: %s', (_what, sql, join) => {
  expect(joins(sql)('a')).toBe(join);
});
