import { sealedColumns, sealedTables } from '../../db/repositories/secrets/sealedColumns';
import { withConnection } from '../../local/programs/postgres';
import { readDocument, section } from '../support/documents';
import { stack } from '../support/stack';

const page = 'docs/privacy.md';
const [map = '', withoutPersonalData = ''] = section(page, '## Data map').split('\n### Without personal data\n');

/** A row of the data map: the columns that it names, and what it says of encryption. */
const rows = [...map.matchAll(/^\| [^|]+ \| [^|]+ \| ([^|]*`\w+\.\w+`[^|]*) \| [^|]+ \| [^|]+ \| ([^|]+) \|$/gm)]
  .map(([, where = '', sealed = '']) => ({ columns: [...where.matchAll(/`(\w+\.\w+)`/g)].map(([, column = '']) => column), sealed }));
const mapped = new Set(rows.flatMap(({ columns }) => columns));
const mappedTables = new Set([...mapped].map((column) => column.split('.')[0] ?? ''));
const [, list = ''] = /ids of things: ([^.]+)\./.exec(withoutPersonalData) ?? [];
const without = new Set([...list.matchAll(/`(\w+)`/g)].map(([, table = '']) => table));

/** Columns with texts that say nothing of a person, by their names in any table. */
const technical = /^(id|\w+_id|status|kind|type|platform|app_version|app|environment|scopes|prefix|request_id|actor_kind|error_class|events|event_type|circuit|disabled_reason|header_names|public_key|previous_public_key|claimed_by|retried_by|end_reason|sha256|content_type|exam_type|time_zone|name|role)$/;
/** Names among them that people choose are in the map. */
const chosenNames = ['submission_attachments.name', 'groups.name', 'staff.name', 'staff_tokens.name', 'api_keys.name'];

interface Column {
  table: string;
  column: string;
  type: string;
}

let columns: readonly Column[] = [];

beforeAll(async () => {
  const { databaseUrl, stop } = await stack();
  columns = await withConnection(databaseUrl, async (client) => {
    const { rows: found } = await client.query<Column>(
      `SELECT c.table_name AS table, c.column_name AS column, c.data_type AS type FROM information_schema.columns c
         JOIN information_schema.tables t USING (table_schema, table_name)
        WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.table_name <> 'migrations' ORDER BY 1, 2`,
    );
    return found;
  });
  await stop();
});

describe('docs/privacy.md', () => {
  it('every table is in the data map, or on the list of those without personal data', () => {
    const tables = [...new Set(columns.map(({ table }) => table))];
    expect(tables.length).toBeGreaterThan(60);
    expect([...new Set([...mappedTables, ...without])].sort()).toEqual(tables.sort());
    expect([...without].filter((table) => mappedTables.has(table))).toEqual([]);
  });

  it('the data map names columns that exist', () => {
    const known = new Set(columns.map(({ table, column }) => `${table}.${column}`));
    expect([...mapped].filter((column) => !known.has(column))).toEqual([]);
  });

  it('every column of these tables that may hold a text of or about a person is in the data map', () => {
    const texts = columns.filter(({ table, column, type }) => mappedTables.has(table) && ['text', 'jsonb', 'bytea', 'ARRAY'].includes(type) && !column.endsWith('_at'));
    const missing = texts.map(({ table, column }) => ({ name: `${table}.${column}`, column })).filter(({ name, column }) => !mapped.has(name) && (chosenNames.includes(name) || !technical.test(column)));
    expect(missing.map(({ name }) => name)).toEqual([]);
    expect(chosenNames.filter((name) => !mapped.has(name))).toEqual([]);
  });

  it('every column that is sealed is in the data map, which says so', () => {
    const sealed = sealedTables.flatMap((table) => sealedColumns[table].map((column) => `${table}.${column}`));
    const saidSo = new Set(rows.filter(({ sealed: said }) => said !== 'no' && said !== 'hashed').flatMap((row) => row.columns));
    expect(sealed.filter((column) => !saidSo.has(column))).toEqual([]);
    expect(rows.filter(({ columns: named, sealed: said }) => said === 'yes' && !named.some((column) => column.endsWith('_sealed')))).toEqual([]);
  });

  it('says what each section of an officer asks for', () => {
    for (const heading of ['## What the operator fills in', '## How long data is kept', '## FERPA', '## GDPR', '## COPPA', '## Requests of people', '## When data was breached']) {
      expect([heading, readDocument(page).includes(`\n${heading}\n`)]).toEqual([heading, true]);
    }
  });
});
