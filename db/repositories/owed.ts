import { statement, type Sql } from '../statement';

/** One thing that Temporal is still to be told. */
export interface OwedRow {
  seq: string;
  kind: 'start' | 'signal';
  name: string;
  workflow_id: string;
  argument: object;
  tries: number;
}

// What is owed to one workflow goes out in order: a row waits for every earlier one of its workflow.
const claim = statement(
  'owed_claim',
  `UPDATE owed_workflows SET tries = tries + 1, try_after = $1::timestamptz + $3 * interval '1 millisecond'
    WHERE seq IN (
      SELECT o.seq FROM owed_workflows o
       WHERE o.try_after <= $1
         AND NOT EXISTS (SELECT 1 FROM owed_workflows earlier WHERE earlier.workflow_id = o.workflow_id AND earlier.seq < o.seq)
       ORDER BY o.try_after, o.seq LIMIT $2 FOR UPDATE SKIP LOCKED)
   RETURNING seq, kind, name, workflow_id, argument, tries`,
);

/** Takes up to `limit` due rows under a lease of `leaseMs`; a crash lets them fall due again. */
export function claimOwed(sql: Sql, now: Date, limit: number, leaseMs: number): Promise<OwedRow[]> {
  return sql(claim, [now, limit, leaseMs]);
}

const settle = statement('owed_settle', 'DELETE FROM owed_workflows WHERE seq = ANY ($1::bigint[])');

/** Removes what Temporal has been told. */
export async function settleOwed(sql: Sql, seqs: readonly string[]): Promise<void> {
  if (seqs.length > 0) await sql(settle, [seqs]);
}

const postpone = statement(
  'owed_postpone',
  'UPDATE owed_workflows SET try_after = $2, last_error = left($3, 500) WHERE seq = ANY ($1::bigint[])',
);

/** Puts rows back, to be tried after a moment. */
export async function postponeOwed(sql: Sql, seqs: readonly string[], tryAfter: Date, error: string): Promise<void> {
  if (seqs.length > 0) await sql(postpone, [seqs, tryAfter, error]);
}
