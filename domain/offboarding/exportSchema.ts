import { exportedTables, type ColumnRow, type ExportedTable } from '../../db/repositories/offboarding/exportedTables';

/** The JSON types of columns by their types in Postgres; any other is a string. */
const jsonTypes: Readonly<Record<string, object>> = {
  boolean: { type: 'boolean' },
  integer: { type: 'integer' },
  smallint: { type: 'integer' },
  bigint: { type: 'integer' },
  numeric: { type: 'number' },
  'double precision': { type: 'number' },
  real: { type: 'number' },
  jsonb: {},
  json: {},
  ARRAY: { type: 'array' },
  date: { type: 'string', format: 'date' },
  // ISO 8601 with an offset.
  'timestamp with time zone': { type: 'string', format: 'date-time' },
};

function columnSchema({ type, nullable }: ColumnRow): object {
  const schema = jsonTypes[type] ?? { type: 'string' };
  // A JSON column may have any value, and the time before all others is no date-time.
  if (!('type' in schema)) return {};
  if (type === 'timestamp with time zone') return { anyOf: [schema, { enum: ['-infinity', 'infinity'] }, ...(nullable ? [{ type: 'null' }] : [])] };
  return nullable ? { ...schema, type: [schema.type, 'null'] } : schema;
}

/** Returns the JSON Schema of a line of a table. */
const lineSchema = (table: ExportedTable, columns: readonly ColumnRow[]): object => ({
  description: exportedTables[table].description,
  type: 'object',
  properties: Object.fromEntries(columns.map((column) => [column.name, columnSchema(column)])),
  required: columns.map(({ name }) => name),
  additionalProperties: false,
});

/** Returns the JSON Schemas of the archive: `$defs` has that of the lines of each file in `data/`, by its name. */
export const exportSchema = (tables: readonly (readonly [ExportedTable, readonly ColumnRow[]])[]): object => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Everything of an institution',
  $defs: Object.fromEntries(tables.map(([table, columns]) => [table, lineSchema(table, columns)])),
});
