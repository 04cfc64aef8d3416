import type { InstitutionScope } from '../../database';
import { onClock } from '../../institutionClock';
import { statement, type Sql } from '../../statement';
import { pendingClockPause, clockPauseUnchanged } from './sending';

const pauseClock = statement(
  'endpoints_rest',
  `UPDATE webhook_endpoints e SET resting_since = $2 FROM institutions i
    WHERE i.id = e.institution_id AND e.institution_id = $1 AND ($3::text IS NULL OR e.id = $3)
      AND e.resting_since IS NULL AND e.deleted_at IS NULL AND e.status <> 'disabled' AND (e.status = 'paused' OR i.status <> 'approved')
   RETURNING e.id`,
);

/** Pauses the clock of the endpoint, or of all endpoints of the institution if none is named, that are paused or suspended. No-op if it is paused. */
export async function pauseClocks(scope: InstitutionScope, endpointId: string | null, now: Date): Promise<string[]> {
  return (await scope.sql<{ id: string }>(pauseClock, [scope.institutionId, now, endpointId])).map(({ id }) => id);
}

const resumable = `SELECT e.id, e.resting_since, e.rest_ended_at FROM webhook_endpoints e JOIN institutions i ON i.id = e.institution_id
  WHERE e.institution_id = $1 AND ($2::text IS NULL OR e.id = $2) AND e.resting_since IS NOT NULL AND e.deleted_at IS NULL
    AND e.status = 'active' AND i.status = 'approved'`;

const unfinished = statement('endpoints_rests_unfinished', `SELECT id FROM (${resumable}) r WHERE rest_ended_at IS NOT NULL`);

/** When endpoint `e` began to fail: `failing_since` before pauses moved it. */
export const firstFailure = 'CASE WHEN e.moved_failing_since = e.failing_since THEN e.first_failed_at ELSE e.failing_since END';

const movedFailingSince = (time: string): string => `e.failing_since + greatest(${time} - greatest(e.resting_since, e.failing_since), interval '0')`;

/** Ends the clock pause of endpoint `e` at a time. A clock pause does not count as failing, but does not change when it began to fail. */
const resumedColumns = (time: string): string =>
  `failing_since = ${movedFailingSince(time)}, first_failed_at = ${firstFailure}, moved_failing_since = ${movedFailingSince(time)},
   resting_since = NULL, rest_began_at = e.resting_since, rest_ended_at = ${time}`;

// A circuit that is still open is probed at once.
const resumeClock = statement(
  'endpoints_end_rest',
  `UPDATE webhook_endpoints e SET ${resumedColumns('$3::timestamptz')}, probe_at = CASE WHEN e.circuit = 'open' THEN $3::timestamptz END
     FROM (${resumable}) r WHERE e.id = r.id AND r.rest_ended_at IS NULL
   RETURNING e.id`,
);

const probeAtOnce = statement('endpoints_probe_at_once', "UPDATE webhook_endpoints SET probe_at = $2 WHERE id = ANY ($1::text[]) AND circuit = 'open'");

/** Chunks of deadlines that a command moves for each clock pause of an endpoint; a sender moves the others. */
const chunksPerResume = 5;

/**
 * Ends the clock pause of the endpoint, or of all endpoints of the institution if none is named, if both take deliveries again:
 * deadlines and `failing_since` did not advance meanwhile. The deadlines of the oldest deliveries are moved at once, the others in
 * chunks afterwards ({@link addClockPause}); until then every reader of a deadline adds the pause to it. Returns the endpoints.
 *
 * Only one clock pause can wait to be added to deadlines. While an earlier one is being added, the endpoint takes deliveries at
 * once, and its clock stays paused until all deadlines have the earlier one: its last step ends this one ({@link finishClockPause}).
 */
export async function resumeClocks(scope: InstitutionScope, endpointId: string | null, now: Date): Promise<string[]> {
  const { sql, institutionId } = scope;
  const idsOf = (rows: { id: string }[]): string[] => rows.map(({ id }) => id);
  const busy = idsOf(await sql<{ id: string }>(unfinished, [institutionId, endpointId]));
  const ended = idsOf(await sql<{ id: string }>(resumeClock, [institutionId, endpointId, now]));
  if (busy.length > 0) await sql(probeAtOnce, [busy, now]);
  for (const id of busy) if (await addClockPause(sql, id, chunksPerResume, now)) ended.push(id);
  for (const id of ended) await addClockPause(sql, id, chunksPerResume, now);
  return [...new Set([...busy, ...ended])];
}

/** The parts of an endpoint's open deliveries that an index has in the order of their events. The sender claims none while a resume scans them. */
const deliveryParts = ["status = 'held'", "status = 'retrying'", "status = 'pending'"] as const;

const lacksClockPause = 'd.created_at < r.rest_ended_at AND d.rest_added_at IS DISTINCT FROM r.rest_ended_at';

// Each is moved once: a row changed by another process since this statement began is left to the next statement.
const extendDeadlinesText = (part: string): string =>
  `WITH picked AS MATERIALIZED (
     SELECT d.* FROM webhook_endpoints r CROSS JOIN LATERAL (
       SELECT d.id, d.event_created_at, d.rest_added_at FROM open_deliveries d
        WHERE d.endpoint_id = r.id AND d.${part} AND ${lacksClockPause} AND d.event_created_at > $2
        ORDER BY d.event_created_at LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED) d
      WHERE r.id = $1 AND r.rest_ended_at IS NOT NULL AND ${clockPauseUnchanged('(SELECT begun.rest_added_at FROM open_deliveries begun WHERE begun.id = d.id)')}
   )
   UPDATE open_deliveries d SET deadline_at = d.deadline_at + ${pendingClockPause}, rest_added_at = e.rest_ended_at
     FROM webhook_endpoints e
    WHERE d.id = ANY (ARRAY(SELECT id FROM picked)) AND e.id = d.endpoint_id AND e.id = $1 AND e.rest_ended_at IS NOT NULL
   RETURNING d.event_created_at`;

const extendDeadlines = deliveryParts.map((part, nth) => statement(`deliveries_add_rest_${nth}`, extendDeadlinesText(part)));

// A transaction that has locked the institution may be pausing, resuming or suspending it: then it is skipped.
const finishClockPause = statement(
  'endpoint_finish_rest',
  `WITH institution AS MATERIALIZED (
     SELECT id, status, clock_offset_ms FROM institutions WHERE id = (SELECT institution_id FROM webhook_endpoints WHERE id = $1) FOR SHARE SKIP LOCKED
   ), finished AS MATERIALIZED (
     SELECT r.id, r.resting_since IS NOT NULL AND r.status = 'active' AND r.deleted_at IS NULL AND i.status = 'approved' AS resumed
       FROM institution i JOIN webhook_endpoints r ON r.institution_id = i.id
      WHERE r.id = $1 AND (r.rest_ended_at IS NOT NULL OR r.resting_since IS NOT NULL)
        AND ${deliveryParts.map((part) => `NOT EXISTS (SELECT 1 FROM open_deliveries d WHERE d.endpoint_id = r.id AND d.${part} AND ${lacksClockPause})`).join(' AND ')}
        FOR NO KEY UPDATE OF r SKIP LOCKED
   ), ended AS (
     UPDATE webhook_endpoints e SET ${resumedColumns(`coalesce($2::timestamptz, ${onClock('clock_timestamp()', '(SELECT clock_offset_ms FROM institution)')})`)}
      WHERE e.id = ANY (ARRAY(SELECT id FROM finished WHERE resumed)) RETURNING e.id
   ), over AS (
     UPDATE webhook_endpoints SET rest_began_at = NULL, rest_ended_at = NULL WHERE id = ANY (ARRAY(SELECT id FROM finished WHERE NOT resumed))
   )
   SELECT id FROM ended`,
);

const chunkSize = 1_000;

/**
 * Adds the ended clock pause of an endpoint to the deadlines of its open deliveries, oldest first, in at most `atMost`
 * chunks; locked deliveries are skipped. Each is moved once, also if several processes run this. When none is left the pause
 * is over; a later pause that a resume could not end because of it ends then, at the database's time if `now` is null.
 * Returns whether one did.
 */
async function addClockPause(sql: Sql, endpointId: string, atMost = Infinity, now: Date | null = null): Promise<boolean> {
  let chunks = 0;
  for (const add of extendDeadlines) {
    for (let after: Date | '-infinity' = '-infinity', more = true; more; ) {
      if (chunks >= atMost) return false;
      const rows: { event_created_at: Date }[] = await sql(add, [endpointId, after, chunkSize]);
      chunks += rows.length === 0 ? 0 : 1;
      more = rows.length === chunkSize;
      after = new Date(Math.max(...rows.map(({ event_created_at }) => event_created_at.getTime())));
    }
  }
  return (await sql(finishClockPause, [endpointId, now])).length > 0;
}

// Includes endpoints that a resume left paused: the earlier pause may have been added by a release that does not end the next one.
const endpointsToExtend =
  `SELECT id FROM webhook_endpoints WHERE rest_ended_at IS NOT NULL
   UNION
   SELECT e.id FROM webhook_endpoints e JOIN institutions i ON i.id = e.institution_id
    WHERE e.resting_since IS NOT NULL AND e.status = 'active' AND e.deleted_at IS NULL AND i.status = 'approved'
   ORDER BY id`;

/** Adds the remaining part of all ended clock pauses to the deadlines, and ends the pauses that had to wait for it. */
export async function addPendingClockPauses(sql: Sql): Promise<void> {
  for (const { id } of await sql<{ id: string }>(endpointsToExtend)) await addClockPause(sql, id);
}
