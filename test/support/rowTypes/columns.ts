import type { Client, Connection, Submittable } from 'pg';
import { joins } from './joins';

/** What the driver makes of a column's values: the kind of value, of the elements of a list; `json` for any. */
export type Kind = 'string' | 'number' | 'boolean' | 'Date' | 'Buffer' | 'json' | Kind[];

/** A column of a statement, as Postgres describes it. */
export interface Column {
  name: string;
  /** Undefined for a type without a sample. */
  kind: Kind | undefined;
  type: number;
  /** Whether it can be null; undefined where that is not known of an expression, or of a table that is joined in two ways. */
  nullable: boolean | undefined;
  /** The texts that a CHECK of the table restricts it to; undefined where there is none. */
  texts: string[] | undefined;
}

interface Described {
  name: string;
  tableID: number;
  columnID: number;
  dataTypeID: number;
}

/** Asks for the columns of a statement without running it. */
class Describe implements Submittable {
  private columns: Described[] = [];
  private settle: { resolve: (columns: Described[]) => void; reject: (error: Error) => void } | undefined;
  readonly described = new Promise<Described[]>((resolve, reject) => {
    this.settle = { resolve, reject };
  });

  constructor(private readonly text: string) {}

  submit(connection: Connection): void {
    connection.parse({ name: '', text: this.text, types: [] }, true);
    connection.describe({ type: 'S', name: '' }, true);
    connection.sync();
  }

  handleRowDescription({ fields }: { fields: Described[] }): void {
    this.columns = fields;
  }

  handleError(error: Error): void {
    this.settle?.reject(error);
  }

  handleReadyForQuery(): void {
    this.settle?.resolve(this.columns);
  }
}

/** A value of each type that statements answer. */
const samples = [
  'true', "'a'::text", "'a'::varchar", '1::int2', '1::int4', '1::int8', '1::float4', '1::float8', '1::numeric', "'2026-11-22'::date", 'now()',
  "'\\x00'::bytea", "'{}'::json", "'{}'::jsonb", 'ARRAY[1]', "ARRAY['a'::text]", 'ARRAY[now()]',
];

function kindOf(value: unknown): Kind | undefined {
  if (Array.isArray(value)) {
    const kind = kindOf(value[0]);
    return kind && [kind];
  }
  if (value instanceof Date) return 'Date';
  if (Buffer.isBuffer(value)) return 'Buffer';
  const kind = typeof value;
  if (kind === 'object') return 'json';
  return kind === 'string' || kind === 'number' || kind === 'boolean' ? kind : undefined;
}

/** What the driver makes of the values of each type, by the id of the type. */
async function readKinds(client: Client): Promise<Map<number, Kind | undefined>> {
  const { fields, rows } = await client.query<unknown[]>({ text: `SELECT ${samples.join()}`, rowMode: 'array' });
  return new Map(fields.map(({ dataTypeID }, nth) => [dataTypeID, kindOf(rows[0]?.[nth])]));
}

interface TableColumn {
  table: number;
  name: string;
  column: number;
  nullable: boolean;
  /** The CHECK of this column alone that lists its texts. */
  listed: string | null;
}

/** The texts in the definition of a CHECK: `CHECK (status = ANY (ARRAY['open'::text, …]))`. */
const textsIn = (definition: string): string[] => [...definition.matchAll(/'([^']*)'::text/g)].map(([, text = '']) => text);

/** Reads what the statements of a migrated database answer. */
export interface Catalog {
  columnsOf(text: string): Promise<Column[]>;
}

/** The columns `s` of tables from which a column `a` of a view `c` comes: those with its name. */
const sources = `SELECT s.attrelid, s.attnum FROM pg_rewrite w JOIN pg_depend p ON p.classid = 'pg_rewrite'::regclass AND p.objid = w.oid AND p.refclassid = 'pg_class'::regclass
  JOIN pg_attribute s ON s.attrelid = p.refobjid AND s.attnum = p.refobjsubid WHERE w.ev_class = c.oid AND s.attrelid <> c.oid AND s.attname = a.attname`;

/** The catalog of a database whose tables are read once. */
export async function readCatalog(client: Client): Promise<Catalog> {
  const { rows } = await client.query<TableColumn>(
    `SELECT c.oid::int AS table, c.relname AS name, a.attnum::int AS column,
            CASE c.relkind WHEN 'v' THEN EXISTS (${sources} AND NOT s.attnotnull) ELSE NOT a.attnotnull END AS nullable, listed.definition AS listed
       FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
       LEFT JOIN LATERAL (
         SELECT pg_get_constraintdef(k.oid) AS definition FROM pg_constraint k
          WHERE k.contype = 'c' AND (k.conrelid, k.conkey) IN (SELECT c.oid, ARRAY[a.attnum] UNION ALL SELECT o.attrelid, ARRAY[o.attnum] FROM (${sources}) o (attrelid, attnum)) AND pg_get_constraintdef(k.oid) ~ '^CHECK \\(+\\w+ = ANY \\(ARRAY\\['
          ORDER BY length(pg_get_constraintdef(k.oid)) DESC LIMIT 1) listed ON true
      WHERE n.nspname = 'public' AND a.attnum > 0`,
  );
  const kinds = await readKinds(client);
  const origins = new Map(rows.map((row) => [`${row.table}.${row.column}`, row]));
  return {
    columnsOf: async (text) => {
      const joinOf = joins(text);
      const described = await client.query(new Describe(text)).described;
      return described.map(({ name, tableID, columnID, dataTypeID: type }) => {
        const origin = origins.get(`${tableID}.${columnID}`);
        const nullable = { inner: false, outer: true, both: undefined }[joinOf(origin?.name ?? '')];
        return {
          name, type, kind: kinds.get(type),
          nullable: origin === undefined ? undefined : origin.nullable || nullable,
          texts: origin?.listed == null ? undefined : textsIn(origin.listed),
        };
      });
    },
  };
}
