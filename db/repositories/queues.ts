import { statement, type Sql, type Statement } from '../statement';

/** A table whose rows are taken in the order of `seq`, by which they were written. */
export type QueueName = 'event_queue' | 'owed_workflows';

/** What one snapshot shows of a queue; transaction ids and `seq` as text. */
export interface QueueView {
  /** The lowest `seq` after the asked one; null if there is none. */
  lowest: string | null;
  /** The last `seq` given so far, also to transactions that have not ended; null before the first. */
  last: string | null;
  /** Every transaction with a lower id has ended. */
  xmin: string;
  /** An id given for this view, if one was asked for: transactions that had an id before have a lower one. */
  xid: string | null;
}

const view = (queue: QueueName): Statement => statement(
  `view_${queue}`,
  `SELECT (SELECT seq FROM ${queue} WHERE seq > $1::bigint ORDER BY seq LIMIT 1)::text AS lowest, pg_sequence_last_value('${queue}_seq_seq'::regclass)::text AS last,
          pg_snapshot_xmin(pg_current_snapshot())::text AS xmin, CASE WHEN $2::boolean THEN pg_current_xact_id()::text END AS xid`,
);
const views: Record<QueueName, Statement> = { event_queue: view('event_queue'), owed_workflows: view('owed_workflows') };

/** Looks at the rows of a queue that have a higher `seq` than `after`; `marks` asks for a transaction id. */
export async function viewQueue(sql: Sql, queue: QueueName, after: bigint, marks = false): Promise<QueueView> {
  const [row] = await sql<QueueView>(views[queue], [String(after), marks]);
  if (row === undefined) throw new Error('A SELECT without FROM has one row');
  return row;
}

const returned = (queue: QueueName): Statement => statement(`returned_${queue}`, `SELECT 1 FROM ${queue} WHERE seq <= $1::bigint ORDER BY seq LIMIT 1`);
const returnedOnes: Record<QueueName, Statement> = { event_queue: returned('event_queue'), owed_workflows: returned('owed_workflows') };

/** Returns whether a queue has rows up to `seq`: after a crash of Postgres, those whose taking was committed asynchronously and is lost. */
export async function hasRowsUpTo(sql: Sql, queue: QueueName, seq: bigint): Promise<boolean> {
  return (await sql(returnedOnes[queue], [String(seq)])).length > 0;
}
