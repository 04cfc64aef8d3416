import type { Sql } from '../statement';
import type { EndpointReference } from './endpoints';

// Fan-outs and claims need not reach the disk before they are acted upon: what a crash of Postgres takes back is done again.
const unflushed = "set_config('synchronous_commit', 'off', true)";

// Institutions and endpoints are locked, so that a suspension, pause, resume or deletion either sees these deliveries or is seen by them.
// Those commands lock the institution first: its events are passed over meanwhile, so that a long one delays nobody else's.
// Deliveries take their time-ordered part from the event; the rest of the id is random.
const fanOut =
  `WITH picked AS MATERIALIZED (
     SELECT q.seq, i.id, i.status FROM event_queue q JOIN institutions i ON i.id = q.institution_id
      ORDER BY q.seq LIMIT $1 FOR UPDATE OF q SKIP LOCKED FOR SHARE OF i SKIP LOCKED
   ), taken AS (
     DELETE FROM event_queue WHERE seq IN (SELECT seq FROM picked) RETURNING event_id, institution_id, type, created_at
   ), senders AS (
     SELECT DISTINCT id, status FROM picked
   ), takers AS (
     SELECT e.* FROM webhook_endpoints e
      WHERE e.institution_id IN (SELECT id FROM senders) AND e.deleted_at IS NULL AND e.status <> 'disabled'
      ORDER BY e.id FOR SHARE
   ), written AS (
     INSERT INTO webhook_deliveries (id, institution_id, endpoint_id, event_id, event_type, event_created_at, status, held_at, deadline_at, created_at)
     SELECT 'whd_' || substr(t.event_id, 5, 10) || right(replace(gen_random_uuid()::text, '-', ''), 16),
            t.institution_id, e.id, t.event_id, t.type, t.created_at,
            CASE WHEN closed THEN 'held' ELSE 'pending' END, CASE WHEN closed THEN $2::timestamptz END,
            $2::timestamptz + $3 * interval '1 millisecond', $2
       FROM taken t
       JOIN senders i ON i.id = t.institution_id
       JOIN takers e
         ON e.institution_id = t.institution_id AND e.created_at <= t.created_at
        AND e.events && ARRAY['*', t.type, split_part(t.type, '.', 1) || '.*']
      CROSS JOIN LATERAL (SELECT e.status = 'paused' OR e.circuit = 'open' OR i.status <> 'approved' AS closed) c
      ORDER BY t.created_at
     ON CONFLICT (event_id, endpoint_id) DO NOTHING
     RETURNING endpoint_id, institution_id, status
   )
   SELECT (SELECT count(*)::int FROM taken) AS events,
          (SELECT coalesce(json_agg(DISTINCT jsonb_build_object('endpointId', endpoint_id, 'institutionId', institution_id)), '[]')
             FROM written WHERE status = 'pending') AS endpoints,
          (SELECT coalesce(array_agg(DISTINCT endpoint_id), '{}') FROM written JOIN takers ON takers.id = endpoint_id
            WHERE written.status = 'held' AND NOT takers.backlog_open) AS unattended, ${unflushed}`;

/** What a fan-out came to. */
export interface FannedOut {
  /** How many events were taken. */
  events: number;
  /** The endpoints that now have deliveries to be sent. */
  endpoints: EndpointReference[];
  /** The endpoints for which deliveries are held, and no backlog waits. */
  unattended: string[];
}

/** Turns up to `limit` new events into deliveries, which have `windowMs` from now unless an attempt begins sooner. */
export async function fanOutEvents(sql: Sql, limit: number, now: Date, windowMs: number): Promise<FannedOut> {
  const [row] = await sql<FannedOut>(fanOut, [limit, now, windowMs]);
  return row ?? { events: 0, endpoints: [], unattended: [] };
}

/** A delivery in the hands of one process, with what an attempt needs. */
export interface ClaimedDelivery {
  id: string;
  institution_id: string;
  endpoint_id: string;
  event_id: string;
  event_type: string;
  cycle: number;
  attempts: number;
  schedule_step: number;
  next_attempt_at: Date | null;
  deadline_at: Date;
  /** The event's envelope, byte for byte; null when the event was pruned. */
  body: string | null;
  url: string;
  secret_sealed: string;
  previous_secret_sealed: string | null;
  previous_secret_expires_at: Date | null;
}

/** How long delivery `d` has rested so far at `now`, a parameter: its endpoint `e` is paused or the institution suspended, and the clock stands still. */
const restedAt = (now: string): string =>
  `CASE WHEN e.resting_since IS NULL THEN interval '0' ELSE greatest(${now}::timestamptz - greatest(e.resting_since, d.created_at), interval '0') END`;

/** The begin of a window, if `d` has none yet: the parameters are now and its length in ms. A rest is added to the deadline when it ends. */
export const openedWindow = (now: string, windowMs: string): string =>
  `first_attempt_at = coalesce(d.first_attempt_at, ${now}),
   deadline_at = CASE WHEN d.first_attempt_at IS NULL THEN ${now}::timestamptz + ${windowMs} * interval '1 millisecond' - ${restedAt(now)} ELSE d.deadline_at END`;

/** What a claim answers of delivery `d` and endpoint `e`; its deadline as of `now`, a parameter. */
export const claimedColumns = (now: string): string => `d.id, d.institution_id, d.endpoint_id, d.event_id, d.event_type, d.cycle, d.attempts, d.schedule_step,
  d.next_attempt_at, d.deadline_at + ${restedAt(now)} AS deadline_at, (SELECT body FROM events WHERE id = d.event_id) AS body,
  e.url, e.secret_sealed, e.previous_secret_sealed, e.previous_secret_expires_at`;

/** Endpoint `e` of institution `i` takes deliveries. */
export const takes = "e.status = 'active' AND e.circuit = 'closed' AND e.deleted_at IS NULL AND i.status = 'approved'";

// The array of ids is what rows are found by, also in a plan that was made while there were none.
const claimPending =
  `WITH unflushed AS MATERIALIZED (SELECT ${unflushed}
   ), picked AS (
     SELECT d.id
       FROM unflushed CROSS JOIN unnest($1::text[], $2::int[]) AS w (endpoint_id, room)
       JOIN webhook_endpoints e ON e.id = w.endpoint_id
       JOIN institutions i ON i.id = e.institution_id AND ${takes}
       CROSS JOIN LATERAL (
         SELECT id FROM webhook_deliveries
          WHERE endpoint_id = w.endpoint_id AND status = 'pending' AND claimed_by IS NULL
          ORDER BY event_created_at LIMIT w.room FOR NO KEY UPDATE SKIP LOCKED) d
   )
   UPDATE webhook_deliveries d
      SET claimed_by = $3, claimed_until = $5, ${openedWindow('$4', '$6')}
     FROM picked, webhook_endpoints e
    WHERE d.id = ANY (ARRAY(SELECT id FROM picked)) AND d.id = picked.id AND e.id = d.endpoint_id
   RETURNING ${claimedColumns('$4')}`;

/** How long a claim holds, in ms; a process that dies gives its deliveries back after it. */
export const claimLeaseMs = 20_000;

/** Claims pending deliveries, oldest first, at most each endpoint's room; their window opens with the first claim. */
export async function claimPendingDeliveries(
  sql: Sql,
  room: ReadonlyMap<string, number>,
  claimedBy: string,
  now: Date,
  windowMs: number,
): Promise<ClaimedDelivery[]> {
  const until = new Date(now.getTime() + claimLeaseMs);
  return sql(claimPending, [[...room.keys()], [...room.values()], claimedBy, now, until, windowMs]);
}

// A skip scan: one index probe an endpoint, however many deliveries wait.
const waitingEndpointIds =
  `WITH RECURSIVE waiting AS (
     (SELECT endpoint_id FROM webhook_deliveries WHERE status = 'pending' AND claimed_by IS NULL ORDER BY endpoint_id LIMIT 1)
     UNION ALL
     SELECT (SELECT d.endpoint_id FROM webhook_deliveries d
              WHERE d.status = 'pending' AND d.claimed_by IS NULL AND d.endpoint_id > w.endpoint_id ORDER BY d.endpoint_id LIMIT 1)
       FROM waiting w WHERE w.endpoint_id IS NOT NULL
   )`;

const waitingEndpoints =
  `${waitingEndpointIds}
   SELECT e.id AS "endpointId", e.institution_id AS "institutionId" FROM waiting w
     JOIN webhook_endpoints e ON e.id = w.endpoint_id
     JOIN institutions i ON i.id = e.institution_id AND ${takes}`;

/** Every endpoint that may be sent to and has unclaimed pending deliveries. */
export function endpointsWaiting(sql: Sql): Promise<EndpointReference[]> {
  return sql(waitingEndpoints);
}

const releaseLapsed =
  'UPDATE webhook_deliveries SET claimed_by = NULL, claimed_until = NULL WHERE claimed_by IS NOT NULL AND claimed_until < $1';

// Where an attempt can never be made, nobody else would end the delivery; a rest holds its clock. No deadline is earlier than 12
// hours after its event, so that of all that wait only the oldest are looked at.
const endOverdue =
  `${waitingEndpointIds}
   UPDATE webhook_deliveries d SET status = 'dead', next_attempt_at = NULL
     FROM (
       SELECT o.id FROM waiting w JOIN webhook_endpoints e ON e.id = w.endpoint_id AND e.status = 'active' AND e.resting_since IS NULL
         CROSS JOIN LATERAL (
           SELECT id FROM webhook_deliveries
            WHERE endpoint_id = e.id AND status = 'pending' AND claimed_by IS NULL AND event_created_at < $1::timestamptz - interval '11 hours' AND deadline_at < $1
            ORDER BY event_created_at LIMIT 1000 FOR NO KEY UPDATE SKIP LOCKED) o) overdue
    WHERE d.id = overdue.id
   RETURNING d.id`;

/** Gives back what processes claimed that did not live to finish, and ends what was never attempted in all its time; answers how many it ended. */
export async function releaseLapsedClaims(sql: Sql, now: Date): Promise<number> {
  await sql(releaseLapsed, [now]);
  return (await sql(endOverdue, [now])).length;
}
