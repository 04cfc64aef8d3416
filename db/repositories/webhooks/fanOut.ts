import { onClock } from '../../institutionClock';
import type { Sql } from '../../statement';
import { isOperationalSql } from '../events/operational';
import type { EndpointReference, PendingEndpoint } from './endpoints';
import { deliveryIdOf } from './deliveryTables';
import { asyncCommit } from './sending';

const senderNow = onClock('now()', 'i.clock_offset_ms');

// Institutions and endpoints are locked, so that a suspension, pause, resume or deletion is committed either before or after
// these deliveries. A held lock delays only the events of its own institution: the institution is skipped, and its events
// stay in the queue. An acquired lock returns the present row, even if it changed after the start of this statement. Of each
// institution the oldest events are selected, by an index on institution. All times are those of Postgres, by the clock of the institution.
const fanOutText = (head: string, ifLocked: 'SKIP LOCKED' | '', isInQueue = 'true'): string =>
  `WITH RECURSIVE ${head}, heads AS MATERIALIZED (
     SELECT institution_id, count(*)::int AS events FROM head GROUP BY institution_id
   ), shared AS MATERIALIZED (
     SELECT id, status, clock_offset_ms FROM institutions WHERE id = ANY (ARRAY(SELECT institution_id FROM heads)) FOR SHARE ${ifLocked}
   ), takers AS MATERIALIZED (
     SELECT * FROM webhook_endpoints
      WHERE institution_id = ANY (ARRAY(SELECT id FROM shared)) AND deleted_at IS NULL AND status <> 'disabled'
      FOR SHARE ${ifLocked}
   ), senders AS MATERIALIZED (
     SELECT id, status, clock_offset_ms FROM shared
      WHERE id NOT IN (
        SELECT institution_id FROM webhook_endpoints
         WHERE institution_id = ANY (ARRAY(SELECT id FROM shared)) AND deleted_at IS NULL AND status <> 'disabled' AND id NOT IN (SELECT id FROM takers))
   ), picked AS MATERIALIZED (
     SELECT own.seq FROM heads h CROSS JOIN LATERAL (
       SELECT seq FROM event_queue WHERE institution_id = h.institution_id AND ${isInQueue} ORDER BY seq LIMIT h.events FOR UPDATE SKIP LOCKED) own
      WHERE h.institution_id = ANY (ARRAY(SELECT id FROM senders))
   ), taken AS (
     DELETE FROM event_queue WHERE seq = ANY (ARRAY(SELECT seq FROM picked)) RETURNING event_id, institution_id, type, created_at
   ), written AS (
     INSERT INTO open_deliveries (id, institution_id, endpoint_id, event_id, event_type, event_created_at, status, held_at, deadline_at, created_at)
     SELECT ${deliveryIdOf('t.event_id', 'e.id')}, t.institution_id, e.id, t.event_id, t.type, t.created_at,
            CASE WHEN closed THEN 'held' ELSE 'pending' END, CASE WHEN closed THEN ${senderNow} END,
            ${senderNow} + $2 * interval '1 millisecond', ${senderNow}
       FROM taken t
       JOIN senders i ON i.id = t.institution_id
       JOIN takers e
         ON e.institution_id = t.institution_id AND e.created_at <= t.created_at
        AND e.events && ARRAY[CASE WHEN ${isOperationalSql('t.type')} THEN t.type ELSE '*' END, t.type, split_part(t.type, '.', 1) || '.*']
      CROSS JOIN LATERAL (SELECT e.status = 'paused' OR e.circuit = 'open' OR i.status <> 'approved' AS closed) c
      ORDER BY t.created_at
     ON CONFLICT DO NOTHING
     RETURNING endpoint_id, institution_id, status, event_created_at
   )
   SELECT (SELECT coalesce(sum(events), 0)::int FROM heads) AS seen,
          (SELECT count(*)::int FROM taken) AS events,
          (SELECT coalesce(array_agg(institution_id), '{}') FROM heads WHERE institution_id <> ALL (ARRAY(SELECT id FROM senders))) AS locked,
          (SELECT coalesce(json_agg(json_build_object('endpointId', endpoint_id, 'institutionId', institution_id, 'since', since)), '[]')
             FROM (SELECT endpoint_id, institution_id, min(event_created_at) AS since FROM written WHERE status = 'pending' GROUP BY 1, 2) pending) AS endpoints,
          (SELECT coalesce(json_object_agg(id, rate_limit), '{}') FROM takers WHERE rate_limit IS NOT NULL) AS "rateLimits",
          (SELECT coalesce(array_agg(DISTINCT endpoint_id), '{}') FROM written JOIN takers ON takers.id = endpoint_id
            WHERE written.status = 'held' AND NOT takers.backlog_open) AS unattended, ${asyncCommit}`;

const fanOut = fanOutText('head AS MATERIALIZED (SELECT institution_id FROM event_queue WHERE seq > $3::bigint ORDER BY seq LIMIT $1)', 'SKIP LOCKED', 'seq > $3::bigint');

// A skip scan: one index probe per institution, for any number of waiting events of skipped institutions. The others each
// get a part of the batch for their oldest events, so that not all of their events are read.
const fanOutOthers = fanOutText(
  `queued AS (
     (SELECT institution_id FROM event_queue WHERE seq > $4::bigint ORDER BY institution_id LIMIT 1)
     UNION ALL
     SELECT (SELECT e.institution_id FROM event_queue e WHERE e.institution_id > q.institution_id AND e.seq > $4::bigint ORDER BY e.institution_id LIMIT 1)
       FROM queued q WHERE q.institution_id IS NOT NULL
   ), others AS MATERIALIZED (
     SELECT institution_id, ($1::bigint + count(*) OVER () - 1) / count(*) OVER () AS share FROM queued WHERE institution_id <> ALL ($3::text[])
   ), head AS MATERIALIZED (
     SELECT o.institution_id FROM others o CROSS JOIN LATERAL (
       SELECT seq FROM event_queue WHERE institution_id = o.institution_id AND seq > $4::bigint ORDER BY seq LIMIT o.share) own
      ORDER BY own.seq LIMIT $1
   )`,
  'SKIP LOCKED',
  'seq > $4::bigint',
);

const fanOutOne = fanOutText('head AS MATERIALIZED (SELECT institution_id FROM event_queue WHERE institution_id = $3 ORDER BY seq LIMIT $1)', '');

/** The result of one fan-out. */
export interface FanOutResult {
  /** The number of scanned events; less than `limit` if there are no more, or if institutions were skipped. */
  seen: number;
  /** The number of events fanned out. */
  events: number;
  /** The skipped institutions: another transaction holds the lock of their row or of one of their endpoints. */
  locked: string[];
  /** The endpoints that now have deliveries to be sent. */
  endpoints: PendingEndpoint[];
  /** The endpoints with held deliveries and without a backlog. */
  unattended: string[];
}

type FanOutRow = Omit<FanOutResult, 'endpoints'> & { endpoints: (EndpointReference & { since: string })[]; rateLimits: Record<string, number> };

const emptyResult: FanOutResult = { seen: 0, events: 0, locked: [], endpoints: [], unattended: [] };

/**
 * Converts up to `limit` new events into deliveries, with a deadline `windowMs` from now unless an attempt begins sooner.
 * Waits for no lock, and does not read events of `skippedInstitutionIds`, nor those up to the `seq` in `after`.
 */
export async function fanOutEvents(sql: Sql, limit: number, windowMs: number, skippedInstitutionIds: readonly string[] = [], after = 0n): Promise<FanOutResult> {
  const [row] = skippedInstitutionIds.length === 0
    ? await sql<FanOutRow>(fanOut, [limit, windowMs, String(after)])
    : await sql<FanOutRow>(fanOutOthers, [limit, windowMs, skippedInstitutionIds, String(after)]);
  return toResult(row);
}

/** The same for the events of one institution; waits for its locks, and fails if one is not acquired in time. */
export async function fanOutInstitution(sql: Sql, limit: number, windowMs: number, institutionId: string): Promise<FanOutResult> {
  const [row] = await sql<FanOutRow>(fanOutOne, [limit, windowMs, institutionId]);
  return toResult(row);
}

function toResult(row: FanOutRow | undefined): FanOutResult {
  if (row === undefined) return emptyResult;
  const { rateLimits, endpoints, ...rest } = row;
  return { ...rest, endpoints: endpoints.map(({ since, ...endpoint }) => ({ ...endpoint, rateLimit: rateLimits[endpoint.endpointId] ?? null, since: new Date(since) })) };
}
