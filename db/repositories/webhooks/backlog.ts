import type { EndpointStatus } from '../../entities/endpoint';
import type { InstitutionStatus } from '../../entities/institution';
import type { InstitutionScope } from '../../database';
import { onClock } from '../../institutionClock';
import { statement, type Sql } from '../../statement';
import { endedWithoutAttempt, maxHeldDays, type EndReason } from './deliveryStatus';
import type { EndpointReference } from './endpoints';
import { endingStatement } from './deliveryTables';
import { claimedColumns, leaseEnd, openedWindow, acceptsDeliveries, isUnclaimed, type ClaimedDelivery } from './sending';

/** One run of an endpoint's backlog: the workflow `<endpoint id>:<run>`. */
export interface BacklogRun extends EndpointReference {
  run: number;
}

/** Starts, through the outbox, the backlog of each endpoint that has none running; returns the number. */
export async function openBacklogs(sql: Sql, endpointIds: readonly string[]): Promise<number> {
  const [row] = await sql<{ opened: number }>('SELECT open_backlogs($1) AS opened', [endpointIds]);
  return row?.opened ?? 0;
}

/** An endpoint as its backlog reads it. */
export interface BacklogState {
  status: EndpointStatus;
  deleted: boolean;
  circuit: 'closed' | 'open';
  circuit_opened_at: Date | null;
  failing_since: Date | null;
  institution_status: InstitutionStatus;
  rate_limit: number | null;
  /** Of a disabled endpoint when it was disabled, unless it was changed since. */
  updated_at: Date;
  /** When this run was opened, by the clock of the institution; null if another one is the newest. */
  opened_at: Date | null;
  /** Whether this run is the endpoint's open run. */
  is_current: boolean;
}

const state =
  `SELECT e.status, e.deleted_at IS NOT NULL AS deleted, e.circuit, e.circuit_opened_at, e.failing_since, i.status AS institution_status, e.rate_limit, e.updated_at,
          CASE WHEN e.backlog_run = $2 THEN ${onClock('e.backlog_opened_at', 'i.clock_offset_ms')} END AS opened_at, e.backlog_open AND e.backlog_run = $2 AS is_current
     FROM webhook_endpoints e JOIN institutions i ON i.id = e.institution_id WHERE e.id = $1`;

/** Returns the present state of an endpoint; undefined if there is none. */
export async function readBacklogState(sql: Sql, { endpointId, run }: BacklogRun): Promise<BacklogState | undefined> {
  const [row] = await sql<BacklogState>(state, [endpointId, run]);
  return row;
}

const isDisabled = "e.status = 'disabled' AND e.deleted_at IS NULL";
const isDeleted = 'e.deleted_at IS NOT NULL';
const isDisabledOrDeleted = `(${isDisabled}) OR ${isDeleted}`;
const isWaiting = "status = 'held' OR (status = 'retrying' AND retried_by = 'backlog') OR (status = 'pending' AND claimed_by IS NULL)";

interface Move {
  /** The required state of endpoint `e` and institution `i`, under their locks, which pauses, resumes and circuits wait for. */
  condition: string;
  /** Which of its deliveries move; `$3` is now. */
  filter: string;
  /** How they stay open, */
  assignment?: string;
  /** or why they end. */
  ends?: EndReason;
}

const moves = {
  /** Deliveries that may not be sent now become held. */
  hold: {
    condition: `NOT (${acceptsDeliveries}) AND NOT (${isDisabledOrDeleted})`,
    filter: "(status = 'pending' AND claimed_by IS NULL) OR (status = 'retrying' AND retried_by = 'backlog')",
    assignment: "status = 'held', held_at = $3, next_attempt_at = NULL",
  },
  /** Deliveries held without reason go to the sender. */
  release: { condition: acceptsDeliveries, filter: "status = 'held'", assignment: "status = 'pending', held_at = NULL, next_attempt_at = NULL" },
  /** Due deliveries of the backlog go to the sender. */
  due: {
    condition: acceptsDeliveries,
    filter: `status = 'retrying' AND retried_by = 'backlog' AND next_attempt_at <= $3 AND ${isUnclaimed}`,
    assignment: "status = 'pending', next_attempt_at = NULL, claimed_by = NULL, claimed_until = NULL",
  },
  /** Deliveries past their deadline become dead; a clock pause must have been added to the deadlines first. */
  overdue: {
    condition: "e.status = 'active' AND e.deleted_at IS NULL AND i.status = 'approved' AND e.rest_ended_at IS NULL",
    // No deadline is earlier than 12 hours after its event, so only the oldest of a large backlog are scanned.
    filter: `(${isWaiting}) AND ${isUnclaimed} AND event_created_at <= $3::timestamptz - interval '11 hours' AND deadline_at <= $3`,
    ends: 'deadline',
  },
  /** Deliveries held for 30 days become dead, regardless of pauses. */
  heldTooLong: {
    condition: 'true',
    filter: `status = 'held' AND event_created_at <= $3::timestamptz - interval '${maxHeldDays} days' AND held_at <= $3::timestamptz - interval '${maxHeldDays} days'`,
    ends: 'held_too_long',
  },
  /** A disabled endpoint has nothing to wait for, */
  giveUp: { condition: isDisabled, filter: "status IN ('held', 'pending', 'retrying')", ends: 'endpoint_disabled' },
  /** nor has a deleted one. */
  cancel: { condition: isDeleted, filter: "status IN ('held', 'pending', 'retrying')", ends: 'endpoint_deleted' },
} satisfies Record<string, Move>;

// The selected rows are found by the array only: with a join in addition, a plan without statistics would compare each row
// with all selected ids.
const moveStatement = ({ condition, filter, assignment, ends }: Move, skipLocked: boolean): string => {
  const before = `locked AS (
     SELECT e.id, $3::timestamptz AS now FROM institutions i JOIN webhook_endpoints e ON e.institution_id = i.id
      WHERE e.id = $1 AND (${condition}) FOR SHARE${skipLocked ? ' SKIP LOCKED' : ''}
   ), picked AS (
     SELECT d.id FROM locked CROSS JOIN LATERAL (
       SELECT id FROM open_deliveries WHERE endpoint_id = locked.id AND (${filter})
        ORDER BY event_created_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED) d
   )`;
  const where = 'd.id = ANY (ARRAY(SELECT id FROM picked))';
  if (ends !== undefined) return endingStatement({ before, where, changes: endedWithoutAttempt(ends, '$3::timestamptz'), returning: { id: 'd.id' } });
  return `WITH ${before} UPDATE open_deliveries d SET ${assignment} WHERE ${where} RETURNING d.id`;
};

const chunkSize = 1_000;

/** Moves the matching deliveries of an endpoint, oldest first, in at most `atMost` chunks; calls `onChunk` with the size of each chunk after its commit. `skipLocked` moves nothing if another transaction has locked endpoint or institution. Returns how many in all. */
export async function moveDeliveries(
  sql: Sql,
  move: keyof typeof moves,
  endpointId: string,
  now: Date,
  { onChunk, atMost = Infinity, skipLocked = false }: { onChunk?: (moved: number) => void; atMost?: number; skipLocked?: boolean } = {},
): Promise<number> {
  let moved = 0;
  for (let chunks = 1; ; chunks += 1) {
    const { length } = await sql(moveStatement(moves[move], skipLocked), [endpointId, chunkSize, now]);
    moved += length;
    if (length > 0) onChunk?.(length);
    if (length < chunkSize || chunks >= atMost) return moved;
  }
}

// The endpoint is read under its lock, and no clock pause ends before the commit, so its deliveries get no pause that this
// statement does not see.
const probe =
  `WITH due AS (
     SELECT e.*, i.clock_offset_ms FROM institutions i JOIN webhook_endpoints e ON e.institution_id = i.id
      WHERE e.id = $1 AND e.circuit = 'open' AND e.probe_at <= $2 AND e.status = 'active' AND e.deleted_at IS NULL AND i.status = 'approved'
      FOR NO KEY UPDATE OF e
   ), planned AS (
     UPDATE webhook_endpoints e SET probe_at = $3 FROM due WHERE e.id = due.id
   ), oldest AS (
     SELECT d.id FROM due CROSS JOIN LATERAL (
       SELECT id FROM open_deliveries WHERE endpoint_id = due.id AND status = 'held' AND ${isUnclaimed}
        ORDER BY event_created_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED) d
   )
   UPDATE open_deliveries d
      SET claimed_by = $4, claimed_until = ${leaseEnd}, ${openedWindow('$2', '$5')}
     FROM oldest, due e
    WHERE d.id = oldest.id
   RETURNING ${claimedColumns('$2', 'e.clock_offset_ms')}`;

/** Claims the oldest held delivery of an open circuit if a probe is due, and schedules the next probe; undefined if none is due. */
export async function claimProbe(
  sql: Sql,
  endpointId: string,
  { now, nextProbeAt, claimedBy, windowMs }: { now: Date; nextProbeAt: Date; claimedBy: string; windowMs: number },
): Promise<ClaimedDelivery | undefined> {
  const [row] = await sql<ClaimedDelivery>(probe, [endpointId, now, nextProbeAt, claimedBy, windowMs]);
  return row;
}

/** Delays the next probe of an open circuit as its receiver requested. */
export async function postponeProbe(sql: Sql, endpointId: string, until: Date): Promise<void> {
  await sql("UPDATE webhook_endpoints SET probe_at = greatest(probe_at, $2) WHERE id = $1 AND circuit = 'open'", [endpointId, until]);
}

/** What a backlog still waits for. */
export interface BacklogPlan {
  /** Whether anything is left; otherwise the run has ended. */
  is_waiting: boolean;
  look_at: Date | null;
}

const plan = "SELECT is_waiting, look_at FROM plan_backlog($1, $2, $3, $4 * interval '1 millisecond')";

/**
 * Returns whether anything is left, and when to check again, in `longestMs` at the latest; closes the run if nothing is
 * left. Undefined if another run has taken over.
 */
export async function planBacklog(sql: Sql, { endpointId, run }: BacklogRun, now: Date, longestMs: number): Promise<BacklogPlan | undefined> {
  const [row] = await sql<BacklogPlan>(plan, [endpointId, run, now, longestMs]);
  return row;
}

const maxCounted = 10_000;

const counts =
  `SELECT (SELECT count(*)::int FROM (SELECT 1 FROM open_deliveries WHERE endpoint_id = $1 AND status = 'held' LIMIT $2) AS h) AS held,
          (SELECT count(*)::int FROM (SELECT 1 FROM open_deliveries
             WHERE endpoint_id = $1 AND status = 'retrying' AND retried_by = 'backlog' LIMIT $2) AS r) AS retrying`;

/** Counts the deliveries of a backlog, up to 10,000 of each status. */
export async function countWaiting(sql: Sql, endpointId: string): Promise<{ held: number; retrying: number }> {
  const [row] = await sql<{ held: number; retrying: number }>(counts, [endpointId, maxCounted]);
  return row ?? { held: 0, retrying: 0 };
}

/** Wakes the open backlogs of these endpoints that would check later than `now`; returns the number. */
export async function wakeBacklogs(sql: Sql, endpointIds: readonly string[], now: Date): Promise<number> {
  const [row] = await sql<{ woken: number }>('SELECT wake_backlogs($1, $2) AS woken', [endpointIds, now]);
  return row?.woken ?? 0;
}

// An endpoint that somebody else has locked is left alone: its probe comes on its schedule.
const dueProbe = statement(
  'endpoint_probe_due',
  `UPDATE webhook_endpoints e SET probe_at = now()
     FROM (SELECT id FROM webhook_endpoints
            WHERE institution_id = $1 AND id = $2 AND circuit = 'open' AND status = 'active' AND deleted_at IS NULL AND probe_at > now() FOR NO KEY UPDATE SKIP LOCKED) open
    WHERE e.id = open.id RETURNING e.id`,
);

/** Makes the next probe of an active endpoint's open circuit due, and wakes its backlog, because its receiver seems to work again. No-op for any other. */
export async function probeAtOnce({ sql, institutionId }: InstitutionScope, endpointId: string): Promise<void> {
  const due = await sql<{ id: string }>(dueProbe, [institutionId, endpointId]);
  // By the real time: the clock of a sandbox may be ahead of when the backlog looks next.
  if (due.length > 0) await wakeBacklogs(sql, [endpointId], new Date());
}

const lastResponse =
  `SELECT coalesce(response_code::text, error_class) AS answer FROM webhook_attempts WHERE endpoint_id = $1 ORDER BY started_at DESC LIMIT 1`;

/** Returns the endpoint's last response: a status code or an error class; null before the first attempt. */
export async function readLastResponse(sql: Sql, endpointId: string): Promise<string | null> {
  const [row] = await sql<{ answer: string | null }>(lastResponse, [endpointId]);
  return row?.answer ?? null;
}
