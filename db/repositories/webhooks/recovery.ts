import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';
import { deliveryIdOf } from './deliveryTables';

/** The events of an institution that happened after `since` and up to `until`, of certain types. */
export interface EventRange {
  since: Date;
  until: Date;
  types: readonly string[];
}

// The events of the range are read in their order, at most so many; of these, the ones of the types that lack a delivery.
const missed = `SELECT s.id, s.type, s.created_at FROM scanned s
    WHERE s.type = ANY ($5::text[]) AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.institution_id = $1 AND d.event_id = s.id AND d.endpoint_id = $2)`;
const scanned = `scanned AS MATERIALIZED (
    SELECT id, type, created_at FROM events WHERE institution_id = $1 AND created_at > $3 AND created_at <= $4 ORDER BY created_at LIMIT $6
  )`;

const countMissed = `WITH ${scanned} SELECT (SELECT count(*)::int FROM (${missed}) m) AS matched, (SELECT count(*)::int FROM scanned) AS scanned`;

/** Counts the events of a range without a delivery to an endpoint, among the range's oldest `atMost` events of any type; `complete` if it has no more. */
export async function countMissedEvents(
  scope: InstitutionScope,
  endpointId: string,
  { since, until, types }: EventRange,
  atMost: number,
): Promise<{ matched: number; complete: boolean }> {
  const [row] = await scope.sql<{ matched: number; scanned: number }>(countMissed, [scope.institutionId, endpointId, since, until, types, atMost]);
  return { matched: row?.matched ?? 0, complete: (row?.scanned ?? 0) < atMost };
}

/** How many events of a type an endpoint has no delivery of; how many of them happened before it was created, and then up to the last change of its subscriptions. */
export interface MissedOfType {
  type: string;
  count: number;
  beforeCreation: number;
  beforeChange: number;
}

const countByType = `WITH ${scanned}, missed AS (${missed})
  SELECT (SELECT count(*)::int FROM scanned) AS scanned, (SELECT coalesce(json_agg(t ORDER BY t.count DESC, t.type), '[]') FROM (
    SELECT type, count(*)::int AS count, count(*) FILTER (WHERE created_at < $7)::int AS "beforeCreation",
           count(*) FILTER (WHERE created_at >= $7 AND created_at <= $8)::int AS "beforeChange" FROM missed GROUP BY type) t) AS types`;

/** Counts as `countMissedEvents` does, by type, the most frequent first; `changedAt` is when the endpoint's subscriptions were last changed. */
export async function countMissedByType(
  scope: InstitutionScope,
  { id, created_at, changedAt }: { id: string; created_at: Date; changedAt: Date | undefined },
  { since, until, types }: EventRange,
  atMost: number,
): Promise<{ types: MissedOfType[]; complete: boolean }> {
  const values = [scope.institutionId, id, since, until, types, atMost, created_at, changedAt ?? null];
  const [row] = await scope.sql<{ scanned: number; types: MissedOfType[] }>(countByType, values);
  return { types: row?.types ?? [], complete: (row?.scanned ?? 0) < atMost };
}

/** An event without a delivery to an endpoint. */
export interface MissedEvent {
  id: string;
  type: string;
  created_at: Date;
}

const firstMissed = `WITH ${scanned} SELECT id, type, created_at FROM (${missed}) m ORDER BY created_at LIMIT $7`;

/** Returns the oldest events of a range without a delivery to an endpoint, at most `limit`, among the range's oldest `atMost` events of any type. */
export function listFirstMissed(scope: InstitutionScope, endpointId: string, { since, until, types }: EventRange, { atMost, limit }: { atMost: number; limit: number }): Promise<MissedEvent[]> {
  return scope.sql(firstMissed, [scope.institutionId, endpointId, since, until, types, atMost, limit]);
}

const nextMissed = `WITH ${scanned}, missed AS MATERIALIZED (${missed} ORDER BY s.created_at LIMIT $7)
  SELECT (SELECT coalesce(array_agg(id ORDER BY created_at), '{}') FROM missed) AS "eventIds",
         (SELECT CASE WHEN count(*) = $7 THEN max(created_at) ELSE (SELECT max(created_at) FROM scanned) END FROM missed) AS reached`;

/**
 * Returns up to `limit` events of a range without a delivery to an endpoint, oldest first, and the time up to which the range is
 * read, at most `scan` events of any type; null at its end.
 */
export async function nextMissedEvents(
  scope: InstitutionScope,
  endpointId: string,
  { since, until, types }: EventRange,
  { scan, limit }: { scan: number; limit: number },
): Promise<{ eventIds: string[]; reached: Date | null }> {
  const [row] = await scope.sql<{ eventIds: string[]; reached: Date | null }>(nextMissed, [scope.institutionId, endpointId, since, until, types, scan, limit]);
  return row ?? { eventIds: [], reached: null };
}

const lockRecoveries = statement('endpoint_recoveries', 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))');
const queued = statement('events_queued', 'SELECT 1 FROM event_queue WHERE institution_id = $1 AND event_id = ANY ($2::text[]) LIMIT 1');

/** Waits until no other recovery of the endpoint writes deliveries, and keeps others waiting until the transaction ends. */
export async function lockEndpointRecoveries(scope: InstitutionScope, endpointId: string): Promise<void> {
  await scope.sql(lockRecoveries, [`recovery of ${endpointId}`]);
}

/** Whether any of these events is still to be fanned out. */
export async function isAnyQueued(scope: InstitutionScope, eventIds: readonly string[]): Promise<boolean> {
  return (await scope.sql(queued, [scope.institutionId, eventIds])).length > 0;
}

// An event that was fanned out since has its delivery, in either table: every fan-out of these events has committed before this
// statement, as the caller has asked.
const insertRecovered = statement(
  'deliveries_recover',
  `WITH written AS (
     INSERT INTO open_deliveries (id, institution_id, endpoint_id, event_id, event_type, event_created_at, status, deadline_at, created_at)
     SELECT ${deliveryIdOf('e.id', '$2::text')}, e.institution_id, $2::text, e.id, e.type, e.created_at, 'pending', $4, $5::timestamptz
       FROM events e WHERE e.institution_id = $1 AND e.id = ANY ($3::text[])
        AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.event_id = e.id AND d.endpoint_id = $2) ORDER BY e.created_at
     ON CONFLICT DO NOTHING
     RETURNING id, cycle
   )
   INSERT INTO webhook_replays (institution_id, delivery_id, ref, cycle, created_at) SELECT $1, id, $6, cycle, $5::timestamptz FROM written RETURNING delivery_id`,
);

/** Inserts a delivery of each of these events to an endpoint, recorded under `ref`; no-op for those that exist. Returns how many it inserted. */
export async function insertRecoveredDeliveries(
  scope: InstitutionScope,
  endpointId: string,
  eventIds: readonly string[],
  { ref, deadlineAt, now }: { ref: string; deadlineAt: Date; now: Date },
): Promise<number> {
  return (await scope.sql(insertRecovered, [scope.institutionId, endpointId, eventIds, deadlineAt, now, ref])).length;
}

const setRecoveryAskedAt = statement(
  'endpoint_note_recovery',
  'UPDATE webhook_endpoints SET recovery_asked_at = $3 WHERE institution_id = $1 AND id = $2 AND (recovery_asked_at IS NULL OR recovery_asked_at <= $4) RETURNING id',
);

/** Records that a recovery of an endpoint is requested; false if one was requested after `since`. */
export async function recordRecoveryRequest(scope: InstitutionScope, endpointId: string, now: Date, since: Date): Promise<boolean> {
  return (await scope.sql(setRecoveryAskedAt, [scope.institutionId, endpointId, now, since])).length > 0;
}
