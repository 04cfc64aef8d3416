import type { Client, Connection, Submittable } from 'pg';
import { types } from 'pg';
import { joins } from './joins';

/** What the driver makes of a column's values: the kind of value, of the elements of a list; `json` for any. */
export type Kind = 'string' | 'number' | 'boolean' | 'Date' | 'Buffer' | 'json' | 'void' | Kind[];

/** A column of a statement, as Postgres describes it. */
export interface Column {
  name: string;
  /** Undefined for a type that no statement had before. */
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

/** A value of each type of Postgres, as it sends it. */
const samples: Readonly<Record<number, string>> = {
  16: 't', 17: '\\x00', 20: '1', 21: '1', 23: '1', 25: 'a', 700: '1.5', 701: '1.5', 1043: 'a', 1700: '1.5',
  1082: '2026-11-22', 1184: '2026-11-22 00:00:00+00', 1007: '{1}', 1009: '{a}', 1185: '{"2026-11-22 00:00:00+00"}',
};
const jsonTypes: readonly number[] = [114, 3802];
const voidType = 2278;

function kindOfValue(value: unknown): Kind | undefined {
  if (Array.isArray(value)) {
    const kind = kindOfValue(value[0]);
    return kind && [kind];
  }
  if (value instanceof Date) return 'Date';
  if (Buffer.isBuffer(value)) return 'Buffer';
  const kind = typeof value;
  return kind === 'string' || kind === 'number' || kind === 'boolean' ? kind : undefined;
}

/** What the driver makes of values of a type. */
function kindOf(type: number): Kind | undefined {
  if (jsonTypes.includes(type)) return 'json';
  if (type === voidType) return 'void';
  const sample = samples[type];
  return sample === undefined ? undefined : kindOfValue(types.getTypeParser(type, 'text')(sample));
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

/** The catalog of a database whose tables are read once. */
export async function readCatalog(client: Client): Promise<Catalog> {
  const { rows } = await client.query<TableColumn>(
    `SELECT c.oid::int AS table, c.relname AS name, a.attnum::int AS column, NOT a.attnotnull AS nullable, listed.definition AS listed
       FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
       LEFT JOIN LATERAL (
         SELECT pg_get_constraintdef(k.oid) AS definition FROM pg_constraint k
          WHERE k.conrelid = c.oid AND k.contype = 'c' AND k.conkey = ARRAY[a.attnum] AND pg_get_constraintdef(k.oid) ~ '^CHECK \\(+\\w+ = ANY \\(ARRAY\\['
          LIMIT 1) listed ON true
      WHERE n.nspname = 'public' AND a.attnum > 0`,
  );
  const origins = new Map(rows.map((row) => [`${row.table}.${row.column}`, row]));
  return {
    columnsOf: async (text) => {
      const joinOf = joins(text);
      const described = await client.query(new Describe(text)).described;
      return described.map(({ name, tableID, columnID, dataTypeID: type }) => {
        const origin = origins.get(`${tableID}.${columnID}`);
        const nullable = { inner: false, outer: true, both: undefined }[joinOf(origin?.name ?? '')];
        return {
          name, type, kind: kindOf(type),
          nullable: origin === undefined ? undefined : origin.nullable || nullable,
          texts: origin?.listed == null ? undefined : textsIn(origin.listed),
        };
      });
    },
  };
}
