import { onClock } from '../../institutionClock';
import type { Sql } from '../../statement';
import { endedWithoutAttempt } from './deliveryStatus';
import { endingStatement } from './deliveryTables';
import type { PendingEndpoint } from './endpoints';

/** Fan-outs and claims need no synchronous commit: what a crash of Postgres loses is done again. */
export const asyncCommit = "set_config('synchronous_commit', 'off', true)";

/** A delivery claimed by one process, with what an attempt needs. */
export interface ClaimedDelivery {
  id: string;
  institution_id: string;
  endpoint_id: string;
  event_id: string;
  event_type: string;
  event_created_at: Date;
  cycle: number;
  attempts: number;
  schedule_step: number;
  next_attempt_at: Date | null;
  deadline_at: Date;
  /** When it was claimed, by the clock of Postgres. */
  claimed_at: Date;
  /** How far the clock of its institution is ahead of that, in ms: 0 unless it is a sandbox. The other times are by that clock. */
  clock_offset_ms: number;
  /** {@link splitTracedBody} takes it apart; null if the event is pruned. */
  traced_body: string | null;
  url: string;
  secret_sealed: string;
  previous_secret_sealed: string | null;
  previous_secret_expires_at: Date | null;
  signing_key_sealed: string | null;
  previous_signing_key_sealed: string | null;
  headers_sealed: string | null;
}

/**
 * Returns the event's envelope, byte for byte, and the `traceparent` of the call that caused it; null if that is not recorded. A claim
 * returns both as one text, because it would look for the event once more for a second column.
 */
export function splitTracedBody(text: string): { traceContext: string | null; body: string } {
  const beginsAt = text.indexOf('{');
  return { traceContext: beginsAt === 0 ? null : text.slice(0, beginsAt), body: text.slice(beginsAt) };
}

/**
 * The part of the last, ended clock pause of endpoint `e` that is not yet added to the deadline of delivery `d`. A statement
 * that locks `d` sees its present row, but `e` as of the statement's start: {@link clockPauseUnchanged} checks that the two
 * belong together.
 */
export const pendingClockPause =
  `CASE WHEN d.created_at < e.rest_ended_at AND d.rest_added_at IS DISTINCT FROM e.rest_ended_at
        THEN greatest(e.rest_ended_at - greatest(e.rest_began_at, d.created_at), interval '0') ELSE interval '0' END`;

/**
 * No clock pause was added to delivery `d` between the start of a statement and its lock: `other` is its `rest_added_at` at
 * the other of the two times. Then the endpoint, as read by the statement, determines the missing part of the deadline.
 * Otherwise the delivery is left to the next statement.
 */
export const clockPauseUnchanged = (other: string): string => `d.rest_added_at IS NOT DISTINCT FROM ${other}`;

/**
 * How long the clock of delivery `d` has been paused at `now`, a parameter, beyond what is added to its deadline: its
 * endpoint `e` is paused or the institution suspended; or was, and the deadline is not moved yet.
 */
const clockPausedFor = (now: string): string =>
  `CASE WHEN e.resting_since IS NULL THEN interval '0' ELSE greatest(${now}::timestamptz - greatest(e.resting_since, d.created_at), interval '0') END + ${pendingClockPause}`;

/**
 * The start of a window, if `d` has none yet: the parameters are now and its length in ms. A clock pause is added to the
 * deadline when it ends.
 */
export const openedWindow = (now: string, windowMs: string): string =>
  `first_attempt_at = coalesce(d.first_attempt_at, ${now}),
   deadline_at = CASE WHEN d.first_attempt_at IS NULL THEN ${now}::timestamptz + ${windowMs} * interval '1 millisecond' - (${clockPausedFor(now)}) ELSE d.deadline_at END`;

/** The columns that a claim returns of delivery `d` and endpoint `e`; its deadline as of `now`, by the clock of the institution, which is `offsetMs` ahead. */
export const claimedColumns = (now: string, offsetMs: string): string => `d.id, d.institution_id, d.endpoint_id, d.event_id, d.event_type, d.event_created_at, d.cycle, d.attempts, d.schedule_step,
  d.next_attempt_at, d.deadline_at + (${clockPausedFor(now)}) AS deadline_at, clock_timestamp() AS claimed_at, ${offsetMs}::float8 AS clock_offset_ms, (SELECT coalesce(trace_context, '') || body FROM events WHERE id = d.event_id) AS traced_body,
  e.url, e.secret_sealed, e.previous_secret_sealed, e.previous_secret_expires_at,
  e.signing_key_sealed, e.previous_signing_key_sealed, e.headers_sealed`;

/** Endpoint `e` of institution `i` accepts deliveries. */
export const acceptsDeliveries = "e.status = 'active' AND e.circuit = 'closed' AND e.deleted_at IS NULL AND i.status = 'approved'";

/** How long a claim is valid, in ms; deliveries of a crashed process are released after it. */
const claimLeaseMs = 20_000;

/** When a claim made now expires. Leases use the clock of Postgres only: the clocks of two workers may differ by more than a lease. */
export const leaseEnd = `clock_timestamp() + interval '${claimLeaseMs} milliseconds'`;

/** Nobody is attempting the delivery: a claim that has lapsed is none. */
export const isUnclaimed = '(claimed_by IS NULL OR claimed_until < clock_timestamp())';

const pickedNow = onClock('now()', 'picked.clock_offset_ms');

// Rows are found by the array of ids, even with a plan cached for an empty table.
const claimPending =
  `WITH unflushed AS MATERIALIZED (SELECT ${asyncCommit}
   ), picked AS (
     SELECT d.id, d.rest_added_at, i.clock_offset_ms
       FROM unflushed CROSS JOIN unnest($1::text[], $2::int[], $6::timestamptz[]) AS w (endpoint_id, room, since)
       JOIN webhook_endpoints e ON e.id = w.endpoint_id AND (e.rate_limit IS NULL OR $5)
       JOIN institutions i ON i.id = e.institution_id AND ${acceptsDeliveries}
       CROSS JOIN LATERAL (
         SELECT id, rest_added_at FROM open_deliveries
          WHERE endpoint_id = w.endpoint_id AND status = 'pending' AND claimed_by IS NULL AND event_created_at >= coalesce(w.since, '-infinity')
          ORDER BY event_created_at LIMIT w.room FOR NO KEY UPDATE SKIP LOCKED) d
   )
   UPDATE open_deliveries d
      SET claimed_by = $3, claimed_until = ${leaseEnd}, ${openedWindow(pickedNow, '$4')}
     FROM picked, webhook_endpoints e
    WHERE d.id = ANY (ARRAY(SELECT id FROM picked)) AND d.id = picked.id AND e.id = d.endpoint_id AND ${clockPauseUnchanged('picked.rest_added_at')}
   RETURNING ${claimedColumns(pickedNow, 'picked.clock_offset_ms')}`;

/**
 * Claims pending deliveries, oldest first, at most the given number per endpoint; their window opens with the first claim. Endpoints
 * with a rate limit are included only if `haveSlots`. Deliveries of events before `since` are not looked for: those ended while an old
 * snapshot is open stay in the index until it ends.
 */
export async function claimPendingDeliveries(
  sql: Sql,
  room: ReadonlyMap<string, number>,
  claimedBy: string,
  windowMs: number,
  { haveSlots = false, since = new Map() }: { haveSlots?: boolean; since?: ReadonlyMap<string, Date> } = {},
): Promise<ClaimedDelivery[]> {
  return sql(claimPending, [[...room.keys()], [...room.values()], claimedBy, windowMs, haveSlots, [...room.keys()].map((id) => since.get(id) ?? null)]);
}

// A skip scan: one index probe per endpoint, for any number of waiting deliveries. It finds the oldest of each.
const waitingEndpointIds =
  `RECURSIVE waiting AS (
     (SELECT endpoint_id, event_created_at FROM open_deliveries WHERE status = 'pending' AND claimed_by IS NULL ORDER BY endpoint_id, event_created_at LIMIT 1)
     UNION ALL
     SELECT d.endpoint_id, d.event_created_at FROM waiting w CROSS JOIN LATERAL (
       SELECT endpoint_id, event_created_at FROM open_deliveries
        WHERE status = 'pending' AND claimed_by IS NULL AND endpoint_id > w.endpoint_id ORDER BY endpoint_id, event_created_at LIMIT 1) d
   )`;

const waitingEndpoints =
  `WITH ${waitingEndpointIds}
   SELECT e.id AS "endpointId", e.institution_id AS "institutionId", e.rate_limit AS "rateLimit", w.event_created_at AS since FROM waiting w
     JOIN webhook_endpoints e ON e.id = w.endpoint_id
     JOIN institutions i ON i.id = e.institution_id AND ${acceptsDeliveries}`;

/** Every endpoint that may be sent to and has unclaimed pending deliveries, with the time of the oldest one's event. */
export function listEndpointsWithPending(sql: Sql): Promise<PendingEndpoint[]> {
  return sql(waitingEndpoints);
}

// Deliveries locked by a transaction that ends or replays them are skipped and checked again the next time. Open deliveries have no
// index on their claims, which would be written with each: claimed ones are the oldest of their endpoint, or come to be as those
// before them are sent. Where deliveries that are retried or held are claimed again, a lapsed claim counts as none.
const maxScanned = 2_000;
const releaseLapsed =
  `WITH RECURSIVE endpoints AS (
     (SELECT endpoint_id FROM open_deliveries WHERE status = 'pending' ORDER BY endpoint_id LIMIT 1)
     UNION ALL
     SELECT (SELECT d.endpoint_id FROM open_deliveries d WHERE d.status = 'pending' AND d.endpoint_id > p.endpoint_id ORDER BY d.endpoint_id LIMIT 1)
       FROM endpoints p WHERE p.endpoint_id IS NOT NULL
   ), lapsed AS (
     SELECT oldest.id FROM endpoints p CROSS JOIN LATERAL (
       SELECT id, claimed_until FROM open_deliveries WHERE endpoint_id = p.endpoint_id AND status = 'pending' ORDER BY event_created_at LIMIT ${maxScanned}) oldest
      WHERE oldest.claimed_until < clock_timestamp()
   )
   UPDATE open_deliveries SET claimed_by = NULL, claimed_until = NULL
    WHERE id = ANY (ARRAY(SELECT id FROM open_deliveries WHERE id = ANY (ARRAY(SELECT id FROM lapsed)) AND claimed_until < clock_timestamp() FOR NO KEY UPDATE SKIP LOCKED))`;

const institutionNow = onClock('now()', 'i.clock_offset_ms');

// If an attempt can never be made, nothing else would end the delivery; a clock pause stops its clock until it is added to
// the deadline. No deadline is earlier than 12 hours after its event, so only the oldest waiting ones are scanned.
const endOverdue = endingStatement({
  before: `${waitingEndpointIds}, overdue AS (
       SELECT o.id, ${institutionNow} AS now FROM waiting w JOIN webhook_endpoints e ON e.id = w.endpoint_id AND e.status = 'active' AND e.resting_since IS NULL AND e.rest_ended_at IS NULL
         JOIN institutions i ON i.id = e.institution_id
         CROSS JOIN LATERAL (
           SELECT id FROM open_deliveries
            WHERE endpoint_id = e.id AND status = 'pending' AND claimed_by IS NULL AND event_created_at < ${institutionNow} - interval '11 hours' AND deadline_at < ${institutionNow}
            ORDER BY event_created_at LIMIT 1000 FOR NO KEY UPDATE SKIP LOCKED) o
   )`,
  from: 'overdue',
  where: 'd.id = overdue.id',
  changes: endedWithoutAttempt('deadline', 'overdue.now'),
  returning: { id: 'd.id' },
});

/** Releases the deliveries of crashed processes, and ends those never attempted before their deadline; returns the number ended. */
export async function releaseLapsedClaims(sql: Sql): Promise<number> {
  await sql(releaseLapsed);
  return (await sql(endOverdue)).length;
}
