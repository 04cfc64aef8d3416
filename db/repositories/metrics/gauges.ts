import type { Sql } from '../../statement';
import { acceptsDeliveries } from '../webhooks/sending';

/** Gauges of waiting work. Ages in seconds, 0 if nothing waits; counts stop at 100,000. */
export interface WaitingWork {
  /** Of the oldest event that is not fanned out. */
  eventQueueAge: number;
  eventQueueEvents: number;
  /** Of the event of the oldest pending delivery whose endpoint accepts deliveries and has no rate limit. */
  pendingAge: number;
  /** The same of endpoints with a rate limit, whose deliveries wait for its slots. */
  limitedAge: number;
  limitedDeliveries: number;
  openCircuits: number;
  heldDeliveries: number;
  /** Of the oldest row that was not yet sent to Temporal. */
  outboxAge: number;
  outboxRows: number;
  /** Of the oldest email with a sign-in code that is not sent. */
  signInEmailAge: number;
  /** By how many rows the counts of rows were wrong so far. */
  countsCorrected: number;
  /** Rows of partitioned tables that no partition was made for. */
  rowsWithoutPartition: number;
  /** How many periods of its partitions a table has room for from now on; of the table with the fewest. */
  partitionsAhead: number;
  /** Since the last progress of the open fill that has made none for longest. */
  fillIdle: number;
}

/** Rows are counted up to this number. */
const maxCounted = 100_000;

const counted = (rows: string): string => `(SELECT count(*)::int FROM (SELECT 1 FROM ${rows} LIMIT ${maxCounted}) counted)`;
const age = (moment: string): string => `coalesce(greatest(extract(epoch FROM $1::timestamptz - (${moment})), 0), 0)::float8`;
const unclaimed = "status = 'pending' AND claimed_by IS NULL";

// Bounded: one index probe per endpoint, the heads of the queues, and limited counts.
const waitingWork =
  `WITH RECURSIVE oldest AS (
     (SELECT endpoint_id, event_created_at FROM open_deliveries WHERE ${unclaimed} ORDER BY endpoint_id, event_created_at LIMIT 1)
     UNION ALL
     SELECT next.* FROM oldest o CROSS JOIN LATERAL (
       SELECT d.endpoint_id, d.event_created_at FROM open_deliveries d
        WHERE ${unclaimed} AND d.endpoint_id > o.endpoint_id ORDER BY d.endpoint_id, d.event_created_at LIMIT 1) next
   ), sendable AS (
     SELECT o.endpoint_id, o.event_created_at, e.rate_limit IS NOT NULL AS is_limited FROM oldest o
       JOIN webhook_endpoints e ON e.id = o.endpoint_id
       JOIN institutions i ON i.id = e.institution_id AND ${acceptsDeliveries}
   )
   SELECT ${age('SELECT created_at FROM event_queue ORDER BY seq LIMIT 1')} AS "eventQueueAge",
          ${counted('event_queue')} AS "eventQueueEvents",
          ${age('SELECT min(event_created_at) FROM sendable WHERE NOT is_limited')} AS "pendingAge",
          ${age('SELECT min(event_created_at) FROM sendable WHERE is_limited')} AS "limitedAge",
          ${counted("sendable s JOIN open_deliveries d ON d.endpoint_id = s.endpoint_id AND d.status = 'pending' AND d.claimed_by IS NULL WHERE s.is_limited")} AS "limitedDeliveries",
          (SELECT count(*)::int FROM webhook_endpoints WHERE circuit = 'open' AND deleted_at IS NULL) AS "openCircuits",
          ${counted("open_deliveries WHERE status = 'held'")} AS "heldDeliveries",
          ${age('SELECT created_at FROM owed_workflows ORDER BY seq LIMIT 1')} AS "outboxAge",
          ${counted('owed_workflows')} AS "outboxRows",
          ${age('SELECT created_at FROM sign_in_emails ORDER BY seq LIMIT 1')} AS "signInEmailAge",
          (SELECT coalesce(sum(corrected), 0)::float8 FROM row_count_checks) AS "countsCorrected",
          (SELECT coalesce(sum(rows), 0)::int FROM rows_without_partition()) AS "rowsWithoutPartition",
          (SELECT min(coalesce(extract(epoch FROM time_of_id((SELECT max(p.until_id COLLATE "C") FROM partitions_of(k.name) p)) - $1::timestamptz), 0)
                      / extract(epoch FROM ('1 ' || k.period)::interval))::float8 FROM partitioned_tables k) AS "partitionsAhead",
          ${age('SELECT min(progressed_at) FROM row_fills WHERE ended_at IS NULL')} AS "fillIdle"`;

/** Returns the gauges at `now`, over all institutions, with one bounded statement. */
export async function readWaitingWork(sql: Sql, now: Date): Promise<WaitingWork> {
  const [row] = await sql<WaitingWork>(waitingWork, [now]);
  if (row === undefined) throw new Error('A statement without FROM answered no row');
  return row;
}
