import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';

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
