import { onClock } from '../../institutionClock';
import type { Sql } from '../../statement';
import type { EndpointOnClock } from './endpointWarnings';
import { acceptsDeliveries, isUnclaimed } from './sending';

/** An endpoint with stuck deliveries, and what is wrong. */
export interface StuckEndpoint {
  id: string;
  /** How far the clock of its institution is ahead, in ms. */
  clock_offset_ms: number;
  /** Held although it accepts deliveries. */
  released: boolean;
  /** Pending although it accepts none. */
  unheld: boolean;
  /** Open although it is disabled or deleted. */
  off: boolean;
  /** Waiting without a backlog. */
  unattended: boolean;
}

const anyDelivery = (condition: string): string => `EXISTS (SELECT 1 FROM open_deliveries WHERE endpoint_id = e.id AND ${condition})`;

// A skip scan along each index of open deliveries: one probe per endpoint that has some, for any number of deleted endpoints.
const skipScan = (name: string, condition: string): string =>
  `${name} AS (
     (SELECT endpoint_id FROM open_deliveries WHERE ${condition} ORDER BY endpoint_id LIMIT 1)
     UNION ALL
     SELECT (SELECT d.endpoint_id FROM open_deliveries d WHERE ${condition} AND d.endpoint_id > s.endpoint_id ORDER BY d.endpoint_id LIMIT 1)
       FROM ${name} s WHERE s.endpoint_id IS NOT NULL
   )`;

const isSendable = "status = 'pending' AND claimed_by IS NULL";
const isWaiting = "status IN ('retrying', 'held')";

const stuckEndpoints =
  `WITH RECURSIVE ${skipScan('sending', isSendable)}, ${skipScan('waiting', isWaiting)}, endpoints AS (
     SELECT e.id, i.clock_offset_ms, e.backlog_open, e.status = 'disabled' OR e.deleted_at IS NOT NULL AS is_off,
            ${acceptsDeliveries} AS takes,
            ${anyDelivery("status = 'held'")} AS holds,
            ${anyDelivery(isSendable)} AS sends,
            ${anyDelivery("status = 'retrying' AND retried_by = 'backlog'")} AS retries
       FROM (SELECT endpoint_id FROM sending UNION SELECT endpoint_id FROM waiting) AS open
      CROSS JOIN LATERAL (SELECT * FROM webhook_endpoints WHERE id = open.endpoint_id LIMIT 1) e
       JOIN institutions i ON i.id = e.institution_id
   )
   SELECT id, clock_offset_ms::float8 AS clock_offset_ms, takes AND holds AS released, NOT takes AND NOT is_off AND sends AS unheld, is_off AND (holds OR sends OR retries) AS off,
          NOT backlog_open AND NOT is_off AND (retries OR (holds AND NOT takes)) AS unattended
     FROM endpoints
    WHERE (takes AND holds) OR (NOT takes AND sends) OR (is_off AND (holds OR retries)) OR (NOT backlog_open AND (holds OR retries))`;

/** Returns every endpoint with stuck deliveries. */
export function findStuckEndpoints(sql: Sql): Promise<StuckEndpoint[]> {
  return sql(stuckEndpoints);
}

// A workflow overdue by this time counts as lost: it is not in Temporal, or was never started.
const handOver =
  `WITH RECURSIVE ${skipScan('waiting', isWaiting)}, lost AS (
     SELECT d.id FROM waiting w CROSS JOIN LATERAL (
       SELECT id FROM open_deliveries
        WHERE endpoint_id = w.endpoint_id AND status = 'retrying' AND retried_by = 'workflow' AND next_attempt_at < $1 AND ${isUnclaimed}
        LIMIT 50 FOR NO KEY UPDATE SKIP LOCKED) d
   )
   UPDATE open_deliveries d SET retried_by = 'backlog' FROM lost WHERE d.id = lost.id
   RETURNING d.endpoint_id`;

/** Transfers deliveries whose workflow should have attempted them before `overdue` to their endpoints' backlogs; returns the endpoints. */
export async function handOverLost(sql: Sql, overdue: Date): Promise<string[]> {
  const rows = await sql<{ endpoint_id: string }>(handOver, [overdue]);
  return [...new Set(rows.map(({ endpoint_id }) => endpoint_id))];
}

// A locked endpoint is checked a minute later, with its backlog. A backlog that never checked has no next time; it is not
// lost while its start is still in the outbox.
const closeLost =
  `UPDATE webhook_endpoints SET backlog_open = false
    WHERE id = ANY (ARRAY(
      SELECT e.id FROM webhook_endpoints e
       WHERE e.backlog_open AND (e.backlog_look_at < $1 OR (
         e.backlog_look_at IS NULL AND e.backlog_opened_at < $1
         AND NOT EXISTS (SELECT 1 FROM owed_workflows WHERE workflow_id = e.id || ':' || e.backlog_run)))
         FOR NO KEY UPDATE SKIP LOCKED))
   RETURNING id`;

/**
 * Closes backlogs that should have checked before `overdue` and did not, or never checked deliveries that have waited for
 * longer; returns their endpoints.
 */
export async function closeLostBacklogs(sql: Sql, overdue: Date): Promise<string[]> {
  const rows = await sql<{ id: string }>(closeLost, [overdue]);
  return rows.map(({ id }) => id);
}

const failing =
  `SELECT e.id, e.institution_id, i.clock_offset_ms::float8 AS clock_offset_ms FROM webhook_endpoints e JOIN institutions i ON i.id = e.institution_id
    WHERE e.status = 'active' AND e.deleted_at IS NULL AND e.resting_since IS NULL AND e.failing_since <= ${onClock('$1::timestamptz', 'i.clock_offset_ms')}`;

/** Returns active endpoints without a 2xx response since `since`, a real time, by the clocks of their institutions. */
export function findFailing(sql: Sql, since: Date): Promise<EndpointOnClock[]> {
  return sql(failing, [since]);
}

/** The last attempt of an active, failing endpoint. */
export interface LastFailure {
  endpoint_id: string;
  institution_id: string;
  response_code: number | null;
  started_at: Date;
  ended_at: Date;
}

const lastFailures =
  `SELECT e.id AS endpoint_id, e.institution_id, a.response_code, a.started_at, a.started_at + a.duration_ms * interval '1 millisecond' AS ended_at
     FROM webhook_endpoints e CROSS JOIN LATERAL (
       SELECT response_code, started_at, duration_ms FROM webhook_attempts WHERE endpoint_id = e.id ORDER BY started_at DESC LIMIT 1) a
    WHERE e.status = 'active' AND e.deleted_at IS NULL AND e.failing_since IS NOT NULL AND a.response_code = $1`;

/** Returns active endpoints whose last response was `responseCode`. */
export function findLastAnswered(sql: Sql, responseCode: number): Promise<LastFailure[]> {
  return sql(lastFailures, [responseCode]);
}
