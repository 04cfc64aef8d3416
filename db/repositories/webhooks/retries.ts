import { finalStatusByReason, type DeliveryStatus, type EndReason } from './deliveryStatus';
import type { Sql } from '../../statement';
import { endingStatement } from './deliveryTables';
import { openBacklogs, wakeBacklogs } from './backlog';
import { statusIsOpen } from './openDeliveries';
import { claimedColumns, leaseEnd, openedWindow, pendingClockPause, clockPauseUnchanged, acceptsDeliveries, isUnclaimed, type ClaimedDelivery } from './sending';

/** What makes the next attempt of a delivery: its own workflow or its endpoint's backlog; null before the first failure. */
export type RetriedBy = 'workflow' | 'backlog' | null;

/** The state of one delivery, as its workflow reads it before it acts. */
export interface DeliveryState {
  id: string;
  status: DeliveryStatus;
  cycle: number;
  attempts: number;
  response_code: number | null;
  next_attempt_at: Date | null;
  deadline_at: Date | null;
  retried_by: RetriedBy;
  endpoint_id: string;
  endpoint_status: string;
  endpoint_deleted: boolean;
  circuit: 'closed' | 'open';
  institution_status: string;
  clock_offset_ms: number;
}

const deliveryState =
  `SELECT d.id, d.status, d.cycle, d.attempts, d.response_code, d.next_attempt_at, d.deadline_at + ${pendingClockPause} AS deadline_at, d.retried_by,
          e.id AS endpoint_id, e.status AS endpoint_status,
          e.deleted_at IS NOT NULL AS endpoint_deleted, e.circuit, i.status AS institution_status,
          i.clock_offset_ms::float8 AS clock_offset_ms
     FROM deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id JOIN institutions i ON i.id = d.institution_id
    WHERE d.institution_id = $1 AND d.id = $2`;

/** Returns the present state of a delivery; undefined if there is none. */
export async function readDeliveryState(sql: Sql, institutionId: string, deliveryId: string): Promise<DeliveryState | undefined> {
  const [row] = await sql<DeliveryState>(deliveryState, [institutionId, deliveryId]);
  return row;
}

// The lock may wait for a resume, which moves the deadline, while the endpoint is read as it was before.
const claimOne =
  `UPDATE open_deliveries d
      SET claimed_by = $3, claimed_until = ${leaseEnd}, ${openedWindow('$4', '$6')}
     FROM webhook_endpoints e JOIN institutions i ON i.id = e.institution_id, open_deliveries begun
    WHERE d.institution_id = $1 AND d.id = $2 AND e.id = d.endpoint_id AND d.status = ANY ($5) AND begun.id = $2 AND ${clockPauseUnchanged('begun.rest_added_at')}
      AND ('held' = ANY ($5) OR (${acceptsDeliveries})) AND ($7::int IS NULL OR d.attempts = $7)
      AND (e.rate_limit IS NULL OR $8)
      AND (d.claimed_by IS NULL OR d.claimed_by = $3 OR d.claimed_until < clock_timestamp())
   RETURNING ${claimedColumns('$4', 'i.clock_offset_ms')}`;

/** The owner of a claim, its time, and the allowed statuses of the delivery. */
export interface Claim {
  institutionId: string;
  deliveryId: string;
  claimedBy: string;
  now: Date;
  statuses: readonly DeliveryStatus[];
  windowMs: number;
  /** How many attempts had been made when this one was requested: repeated requests make it once. */
  attempts: number | undefined;
}

/**
 * Claims one delivery for an attempt; undefined if it is in none of the statuses, claimed by another owner or already
 * attempted, or if endpoint or institution accept none, unless held ones may be claimed. An endpoint with a rate limit accepts one
 * only if `hasSlot`.
 */
export async function claimDelivery(sql: Sql, { institutionId, deliveryId, claimedBy, now, statuses, windowMs, attempts }: Claim, { hasSlot = false }: { hasSlot?: boolean } = {}): Promise<ClaimedDelivery | undefined> {
  const values = [institutionId, deliveryId, claimedBy, now, statuses, windowMs, attempts ?? null, hasSlot];
  const [row] = await sql<ClaimedDelivery>(claimOne, values);
  if (row !== undefined) return row;
  // A statement that waited while a clock pause was added runs again: a second statement sees the present endpoint.
  const [moved] = await sql<ClaimedDelivery>(claimOne, values);
  return moved;
}

const endOne = endingStatement({
  where: `d.institution_id = $1 AND d.id = $2 AND d.cycle = $4 AND d.${statusIsOpen}`,
  changes: { status: '$3::text', end_reason: '$5::text', ended_at: '$6::timestamptz' },
  returning: { id: 'd.id' },
});

/** Ends an open delivery without an attempt, at a moment of its institution's clock; false if it had ended before. */
export async function endDelivery(sql: Sql, institutionId: string, deliveryId: string, cycle: number, reason: EndReason, now: Date): Promise<boolean> {
  return (await sql(endOne, [institutionId, deliveryId, finalStatusByReason[reason], cycle, reason, now])).length > 0;
}

// Institution and endpoint are locked and read again: a delivery must not be held after a concurrent resume, because nothing
// would release it.
const holdOne =
  `WITH closed AS (
     SELECT e.id FROM institutions i JOIN webhook_endpoints e ON e.institution_id = i.id
      WHERE e.institution_id = $1 AND e.id = (SELECT endpoint_id FROM open_deliveries WHERE institution_id = $1 AND id = $2)
        AND (e.status = 'paused' OR e.circuit = 'open' OR i.status <> 'approved')
      FOR SHARE
   ), held AS (
     UPDATE open_deliveries d
        SET status = 'held', held_at = $4, retried_by = 'backlog', next_attempt_at = NULL, claimed_by = NULL, claimed_until = NULL
       FROM closed WHERE d.endpoint_id = closed.id AND d.institution_id = $1 AND d.id = $2 AND d.cycle = $3 AND d.status = 'retrying'
   )
   SELECT id FROM closed`;

/**
 * Transfers a retrying delivery to the backlog of its endpoint, as held, while endpoint or institution accept none; false if
 * they accept deliveries again.
 */
export async function holdDelivery(sql: Sql, institutionId: string, deliveryId: string, cycle: number, now: Date): Promise<boolean> {
  const [closed] = await sql<{ id: string }>(holdOne, [institutionId, deliveryId, cycle, now]);
  if (closed !== undefined) await openBacklogs(sql, [closed.id]);
  return closed !== undefined;
}

const handOverOne =
  `UPDATE open_deliveries SET retried_by = 'backlog', next_attempt_at = $4
    WHERE institution_id = $1 AND id = $2 AND cycle = $3 AND status = 'retrying' AND retried_by IS DISTINCT FROM 'backlog' AND ${isUnclaimed}
   RETURNING endpoint_id`;

/** Transfers a retrying delivery to the backlog of its endpoint, to be attempted at a time; returns the number of outbox rows. */
export async function handOverDelivery(sql: Sql, institutionId: string, deliveryId: string, cycle: number, nextAttemptAt: Date): Promise<number> {
  const [handed] = await sql<{ endpoint_id: string }>(handOverOne, [institutionId, deliveryId, cycle, nextAttemptAt]);
  if (handed === undefined) return 0;
  return (await openBacklogs(sql, [handed.endpoint_id])) + (await wakeBacklogs(sql, [handed.endpoint_id], nextAttemptAt));
}
