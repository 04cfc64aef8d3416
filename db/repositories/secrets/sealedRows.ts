import type { Sql } from '../../statement';
import { sealedColumns, sealedTables, type SealedColumn, type SealedTable } from './sealedColumns';

/** How the rows of a table are identified. */
interface SealedSource {
  /** The primary key, by which rows are read and found again, with its types. */
  key: readonly (readonly [column: string, type: 'text' | 'integer' | 'bigint'])[];
  /** What the seals of a row are bound to, in addition to table and column. */
  institutionId: string;
  rowId: string;
}

const byId: SealedSource = { key: [['id', 'text']], institutionId: 'institution_id', rowId: 'id' };

const sources: Record<SealedTable, SealedSource> = {
  erasures: { key: [['person_id', 'text'], ['number', 'integer']], institutionId: 'institution_id', rowId: "person_id || ':' || number" },
  exams: byId,
  idempotency_keys: { key: [['institution_id', 'text'], ['key', 'text']], institutionId: 'institution_id', rowId: 'key' },
  mailbox_changes: byId,
  provisioning_rows: { key: [['batch_id', 'text'], ['index', 'integer']], institutionId: 'institution_id', rowId: "batch_id || ':' || index" },
  sandbox_emails: byId,
  sign_in_codes: byId,
  sign_in_emails: { key: [['seq', 'bigint']], institutionId: 'NULL::text', rowId: 'request_id' },
  users: byId,
  webhook_endpoints: byId,
};

/** A row of a table with sealed columns, in the order of its primary key. */
export interface SealedRow {
  institution_id: string | null;
  row_id: string;
  /** The primary key, as text. */
  position: string[];
  /** The values of the sealed columns, in their order; null for those that are empty or under the newest key. */
  sealed: (string | null)[];
}

const keyColumns = ({ key }: SealedSource): string => `(${key.map(([column]) => column).join(', ')})`;
const keyValues = ({ key }: SealedSource, parameter: string): string => `(${key.map(([, type], index) => `(${parameter}::text[])[${index + 1}]::${type}`).join(', ')})`;

/** Not prepared: the plan depends on whether there is a position. */
function readText(table: SealedTable): string {
  const source = sources[table];
  const columns = sealedColumns[table].map((column) => `CASE WHEN NOT starts_with(${column}, $1) THEN ${column} END`);
  return `SELECT ${source.institutionId} AS institution_id, ${source.rowId} AS row_id, ARRAY[${source.key.map(([column]) => `${column}::text`).join(', ')}] AS position,
            ARRAY[${columns.join(', ')}] AS sealed
       FROM ${table} WHERE ($2::text[] IS NULL OR ${keyColumns(source)} > ${keyValues(source, '$2')})
      ORDER BY ${source.key.map(([column]) => column).join(', ')} LIMIT $3`;
}

/** Returns rows of all institutions after a position, of which only values are read that do not begin with `newestPrefix`. */
export function readSealedRows(sql: Sql, table: SealedTable, { after, newestPrefix, limit }: { after: readonly string[] | null; newestPrefix: string; limit: number }): Promise<SealedRow[]> {
  return sql<SealedRow>(readText(table), [newestPrefix, after, limit]);
}

function replaceText(table: SealedTable, column: string, alsoSet = ''): string {
  return `UPDATE ${table} SET ${column} = $3${alsoSet} WHERE ${keyColumns(sources[table])} = ${keyValues(sources[table], '$1')} AND ${column} = $2 RETURNING 1 AS replaced`;
}

const replaceTexts = new Map(sealedTables.flatMap((table) => sealedColumns[table].map((column) => [`${table}.${column}`, replaceText(table, column)] as const)));
const replaceEmailText = replaceText('users', 'personal_email_sealed', ', personal_email_hmac = $4');

/** A sealed value, and the one that replaces it. */
export interface ReplacedSeal {
  sealed: string;
  resealed: string;
}

/** Replaces a sealed value unless it has changed since it was read; whether it did. */
export async function replaceSeal(sql: Sql, table: SealedTable, column: SealedColumn, position: readonly string[], { sealed, resealed }: ReplacedSeal): Promise<boolean> {
  const text = replaceTexts.get(`${table}.${column}`);
  if (text === undefined) throw new Error(`${table} has no sealed column ${column}`);
  const rows = await sql<{ replaced: number }>(text, [position, sealed, resealed]);
  return rows.length > 0;
}

/** The same for the personal email of a person, with its fingerprint. */
export async function replaceEmailSeal(sql: Sql, position: readonly string[], { sealed, resealed, fingerprint }: ReplacedSeal & { fingerprint: Buffer }): Promise<boolean> {
  const rows = await sql<{ replaced: number }>(replaceEmailText, [position, sealed, resealed, fingerprint]);
  return rows.length > 0;
}
