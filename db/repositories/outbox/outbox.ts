import { statement, type Sql } from '../../statement';

/** A start or signal not yet sent to Temporal. */
export interface OutboxRow {
  seq: string;
  kind: 'start' | 'signal';
  name: string;
  workflow_id: string;
  argument: object;
  /** The `traceparent` of the call that wrote it; null if its trace is not recorded. */
  trace_context: string | null;
  tries: number;
  /** The epochs of the database, oldest first: none until a backup is restored. */
  epochs: string[];
}

/** Maximum number of rows of one workflow per claim, because each claim scans all due rows. */
const maxRowsPerWorkflow = 100;

// The rows of one workflow are sent in order: a row waits for every earlier one of its workflow, and the worker that has claimed
// the first sends those that follow it. Leases use the clock of Postgres only: the clocks of two workers may differ by more than a lease.
const claim = statement(
  'owed_claim',
  `WITH claimed AS (
     UPDATE owed_workflows SET tries = tries + 1, try_after = clock_timestamp() + $2 * interval '1 millisecond'
      WHERE seq IN (
        SELECT o.seq FROM owed_workflows o
         WHERE o.try_after <= now() AND o.seq > $3::bigint
           AND NOT EXISTS (SELECT 1 FROM owed_workflows earlier WHERE earlier.workflow_id = o.workflow_id AND earlier.seq < o.seq)
         ORDER BY o.try_after, o.seq LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING seq, kind, name, workflow_id, argument, trace_context, tries
   )
   SELECT r.*, ARRAY(SELECT epoch FROM workflow_epochs ORDER BY began_at, epoch) AS epochs
     FROM claimed c CROSS JOIN LATERAL (
       SELECT c.*
       UNION ALL
       (SELECT f.seq, f.kind, f.name, f.workflow_id, f.argument, f.trace_context, f.tries FROM owed_workflows f
         WHERE f.workflow_id = c.workflow_id AND f.seq > c.seq ORDER BY f.seq LIMIT ${maxRowsPerWorkflow - 1})) r
    ORDER BY r.seq`,
);

/**
 * Claims the due rows of up to `limit` workflows, each with the rows that follow in order, under a lease of `leaseMs` that the
 * first row of each holds for the others; after a crash they become due again. Rows up to the `seq` in `after` are not read.
 */
export async function claimOutboxRows(sql: Sql, limit: number, leaseMs: number, after = 0n): Promise<OutboxRow[][]> {
  if (limit <= 0) return [];
  const workflows = new Map<string, OutboxRow[]>();
  for (const row of await sql<OutboxRow>(claim, [limit, leaseMs, String(after)])) {
    const rows = workflows.get(row.workflow_id);
    if (rows === undefined) workflows.set(row.workflow_id, [row]);
    else rows.push(row);
  }
  return [...workflows.values()];
}

const epochs = statement('workflow_epochs', 'SELECT epoch FROM workflow_epochs ORDER BY began_at, epoch');

/** The epochs of the database, oldest first; none until a backup was restored. */
export async function readEpochs(sql: Sql): Promise<string[]> {
  return (await sql<{ epoch: string }>(epochs)).map(({ epoch }) => epoch);
}

const remove = statement('owed_settle', 'DELETE FROM owed_workflows WHERE seq = ANY ($1::bigint[])');

/** Deletes rows that were sent to Temporal. */
export async function deleteOutboxRows(sql: Sql, seqs: readonly string[]): Promise<void> {
  if (seqs.length > 0) await sql(remove, [seqs]);
}

const postpone = statement(
  'owed_postpone',
  `UPDATE owed_workflows SET try_after = clock_timestamp() + $2 * interval '1 millisecond', last_error = left($3, 500) WHERE seq = $1`,
);

/** Releases a row, to be tried again in `acquireTimeoutMs`. */
export async function postponeOutboxRow(sql: Sql, seq: string, waitMs: number, error: string): Promise<void> {
  await sql(postpone, [seq, waitMs, error]);
}
