import { statement, type Sql } from '../../statement';
import { sealedColumns, sealedTables, type SealedTable } from './sealedColumns';

/** How many values of a column are sealed under a key. */
export interface SealedCount {
  table_name: SealedTable;
  column_name: string;
  key_id: string;
  count: number;
}

// Values under a master key begin with `v2.`, its id and a dot; older ones with the id of their key and a dot. An id has 32
// characters at most, and the rest may be large.
const countText = (table: string, column: string): string =>
  `SELECT '${table}' AS table_name, '${column}' AS column_name,
          CASE WHEN value LIKE 'v2.%.%' THEN split_part(value, '.', 2) ELSE split_part(value, '.', 1) END AS key_id, count(*)::int AS count
     FROM (SELECT left(${column}, 64) AS value FROM ${table} WHERE ${column} IS NOT NULL) sealed GROUP BY key_id ORDER BY key_id`;

const countTexts = sealedTables.flatMap((table) => sealedColumns[table].map((column) => countText(table, column)));

/** Counts the sealed values of all institutions by column and key. Reads every row, one column after another: without a statement timeout. */
export async function countSealedValues(sql: Sql): Promise<SealedCount[]> {
  const counts: SealedCount[] = [];
  for (const text of countTexts) counts.push(...(await sql<SealedCount>(text)));
  return counts;
}

const openInvitations = statement(
  'invitations_open_since',
  `SELECT count(*)::int AS open, max(expires_at) AS until FROM (
     SELECT expires_at FROM guardian_links WHERE accepted_at IS NULL AND verified_at IS NULL AND expires_at > $2 AND invited_at < $1
     UNION ALL
     SELECT expires_at FROM developers WHERE status = 'invited' AND expires_at > $2 AND invited_at < $1) invitations`,
);

/** How much of what an earlier key has signed is still valid, and until when; null if nothing is. */
export interface OpenCount {
  open: number;
  until: Date | null;
}

/** Counts the invitations of all institutions that were sent before a time and can still be accepted. */
export async function countOpenInvitations(sql: Sql, sentBefore: Date, now: Date): Promise<OpenCount> {
  const [row] = await sql<OpenCount>(openInvitations, [sentBefore, now]);
  return row ?? { open: 0, until: null };
}

const openEnrolmentCodes = statement(
  'enrolment_codes_open_since',
  'SELECT count(*)::int AS open, max(expires_at) AS until FROM enrolment_codes WHERE used_at IS NULL AND expires_at > $2 AND created_at < $1',
);

/** Counts the enrolment codes of all institutions that were made before a time and can still be used. */
export async function countOpenEnrolmentCodes(sql: Sql, madeBefore: Date, now: Date): Promise<OpenCount> {
  const [row] = await sql<OpenCount>(openEnrolmentCodes, [madeBefore, now]);
  return row ?? { open: 0, until: null };
}
