import type { InstitutionScope } from '../../database';
import { statement, type Sql } from '../../statement';

/** The tables whose rows are counted by kind and status as they change. */
export type Counted = 'people' | 'licenses' | 'submissions';

/** How many rows of one kind have one status. */
interface KindCount {
  kind: string;
  status: string;
  count: number;
}

const sum = statement(
  'row_counts_sum',
  'SELECT kind, status, sum(n)::int AS count FROM row_counts WHERE institution_id = $1 AND counted = $2 GROUP BY kind, status HAVING sum(n) <> 0',
);

/** Sums the counts of rows; of one status, if it is given. */
export function sumCounts(counts: readonly { status: string; count: number }[], { status }: { status?: string | undefined }): number {
  return counts.reduce((total, row) => (status === undefined || row.status === status ? total + row.count : total), 0);
}

/** Which of the counted rows a list has; undefined does not restrict. */
interface CountedRows {
  counted: Counted;
  kind?: string;
  status?: string | undefined;
}

/** Returns how many such rows the institution has, as exactly as if they were counted now. */
async function readCount(scope: InstitutionScope, { counted, kind, status }: CountedRows): Promise<number> {
  const counts = await scope.sql<KindCount>(sum, [scope.institutionId, counted]);
  return sumCounts(kind === undefined ? counts : counts.filter((row) => row.kind === kind), { status });
}

/** Returns how to read the total of a list of such rows; undefined if another of its filters restricts it. */
export function countedTotal(scope: InstitutionScope, rows: CountedRows, otherFilters: readonly unknown[]): (() => Promise<number>) | undefined {
  return otherFilters.every((filter) => filter === undefined) ? () => readCount(scope, rows) : undefined;
}

/** Whose counts, and what runs statements. */
type SqlScope = Pick<InstitutionScope, 'institutionId' | 'sql'>;

const correct = 'SELECT coalesce(sum(abs(n)), 0)::int AS corrected FROM correct_row_counts($1)';
const fold = "SELECT fold_row_counts($1, counted, NULL) FROM unnest(ARRAY['people', 'licenses', 'submissions']) AS counted";
const note = `INSERT INTO row_count_checks AS c (institution_id, checked_at, corrected) VALUES ($1, $2, $3)
  ON CONFLICT (institution_id) DO UPDATE SET checked_at = excluded.checked_at, corrected = c.corrected + excluded.corrected`;

/**
 * Compares the institution's counts with its rows in one snapshot, adds what is missing, notes that in the database, and folds the rows
 * of which the counts are sums; returns by how much they were wrong. Not prepared: it runs once a day.
 */
export async function checkRowCounts({ institutionId, sql }: SqlScope, now: Date): Promise<number> {
  const [row] = await sql<{ corrected: number }>(correct, [institutionId]);
  const corrected = row?.corrected ?? 0;
  await sql(fold, [institutionId]);
  await sql(note, [institutionId, now, corrected]);
  return corrected;
}

const unchecked = `SELECT i.id FROM institutions i LEFT JOIN row_count_checks c ON c.institution_id = i.id
  WHERE i.erasing_since IS NULL AND (c.checked_at IS NULL OR c.checked_at < $1) ORDER BY i.id LIMIT $2`;

/** Returns at most `limit` institutions whose counts were not compared since a time. Not prepared, as above. */
export async function institutionsNotChecked(sql: Sql, since: Date, limit: number): Promise<string[]> {
  return (await sql<{ id: string }>(unchecked, [since, limit])).map(({ id }) => id);
}
