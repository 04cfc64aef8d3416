import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase, type Database } from '../../db/database';
import { entities } from '../../db/entities';
import { projectRoot } from '../../local/projectRoot';
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

interface StoredColumn {
  name: string;
  type: string;
  nullable: boolean;
  primary: boolean;
  /** Whether a row can be written without naming it. */
  optional: boolean;
}

const columnsOf = (table: string): Promise<StoredColumn[]> =>
  database.sql<StoredColumn>(
    `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, NOT a.attnotnull AS nullable,
            EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conrelid = a.attrelid AND k.contype = 'p' AND a.attnum = ANY (k.conkey)) AS primary,
            a.atthasdef OR a.attidentity <> '' OR NOT a.attnotnull AS optional
       FROM pg_attribute a WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped`,
    [table],
  );

const sqlTypes: Record<string, string> = { timestamptz: 'timestamp with time zone', 'timestamptz(3)': 'timestamp(3) with time zone' };

/** What an entity says of its table, with the properties that its source declares. */
function describeEntity(target: (typeof entities)[number]) {
  const metadata = database.dataSource.getMetadata(target);
  return {
    table: metadata.tableName,
    columns: metadata.columns.map((column) => {
      const type = `${String(column.type)}${column.precision === undefined || column.precision === null ? '' : `(${column.precision})`}${column.isArray ? '[]' : ''}`;
      return { property: column.propertyName, name: column.databaseName, type: sqlTypes[type] ?? type, nullable: column.isNullable, primary: column.isPrimary };
    }),
  };
}

describe.each(entities.map((target) => [target.name, target] as const))('%s', (_name, target) => {
  it('has columns of its table alone, each with its type, its nullability and its place in the key', async () => {
    const { table, columns } = describeEntity(target);
    const stored = new Map((await columnsOf(table)).map(({ name, type, nullable, primary }) => [name, { name, type, nullable, primary }]));
    expect(columns.map(({ property: _property, ...column }) => column)).toEqual(columns.map(({ name }) => stored.get(name)));
  });

  it('leaves out only columns that a new row needs no value for', async () => {
    const { table, columns } = describeEntity(target);
    const known = new Set(columns.map(({ name }) => name));
    const needed = (await columnsOf(table)).filter(({ name, optional }) => !known.has(name) && !optional);
    expect(needed).toEqual([]);
  });

  it('declares each property with the type that the driver reads', () => {
    const source = readFileSync(join(projectRoot(), `db/entities/${fileOf(target.name)}.ts`), 'utf8');
    const declared = new Map([...source.matchAll(/\) (\w+)!: (.+);$/gm)].map(([, property = '', type = '']) => [property, type]));
    const { columns } = describeEntity(target);
    expect([...declared.keys()]).toEqual(columns.map(({ property }) => property));
    for (const { property, type, nullable } of columns) {
      const written = declared.get(property) ?? '';
      const notNull = written.replace(/ \| null$/, '');
      expect([property, written !== notNull]).toEqual([property, nullable]);
      expect([property, propertyType(type, notNull)]).toEqual([property, notNull]);
    }
  });
});

/** `EndpointEntity` stands in `endpoint.ts`. */
function fileOf(entityName: string): string {
  const subject = entityName.replace(/Entity$/, '');
  return subject.charAt(0).toLowerCase() + subject.slice(1);
}

/** The TypeScript type of a column of that SQL type; a text may be a union of texts, and JSON a type of its own, which are taken as declared. */
function propertyType(sqlType: string, declared: string): string {
  if (sqlType.startsWith('timestamp')) return 'Date';
  const types: Record<string, string> = { boolean: 'boolean', integer: 'number', bigint: 'string', bytea: 'Buffer', 'text[]': 'string[]' };
  const known = types[sqlType];
  if (known !== undefined) return known;
  if (!['text', 'jsonb'].includes(sqlType)) throw new Error(`No property type is known for ${sqlType}`);
  return /^(string|'.*'|[A-Z]\w+)$/.test(declared) && !['Date', 'Buffer'].includes(declared) ? declared : 'string';
}
