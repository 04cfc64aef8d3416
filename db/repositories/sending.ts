import type { Sql } from '../statement';
import type { DeliveryStatus } from '../entities/delivery';

/*
 * These statements are not prepared by name: a plan made while the tables were small would be kept while a burst
 * makes them large, and read them whole. Planned anew each time they cost little, because each moves a group of rows.
 */

// Fan-outs and claims need not reach the disk before they are acted upon: what a crash of Postgres takes back is done again.
const unflushed = "set_config('synchronous_commit', 'off', true)";

// Institutions and endpoints are locked, so that a suspension, pause, resume or deletion either sees these deliveries or is seen by them.
// Deliveries take their time-ordered part from the event; the rest of the id is random.
const fanOut =
  `WITH taken AS (
     DELETE FROM event_queue WHERE seq IN (SELECT seq FROM event_queue ORDER BY seq LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING event_id, institution_id, type, created_at
   ), senders AS (
     SELECT id, status FROM institutions WHERE id IN (SELECT institution_id FROM taken) ORDER BY id FOR SHARE
   ), takers AS (
     SELECT e.* FROM webhook_endpoints e
      WHERE e.institution_id IN (SELECT id FROM senders) AND e.deleted_at IS NULL AND e.status <> 'disabled'
      ORDER BY e.id FOR SHARE
   ), written AS (
     INSERT INTO webhook_deliveries (id, institution_id, endpoint_id, event_id, event_type, event_created_at, status, created_at)
     SELECT 'whd_' || substr(t.event_id, 5, 10) || right(replace(gen_random_uuid()::text, '-', ''), 16),
            t.institution_id, e.id, t.event_id, t.type, t.created_at,
            CASE WHEN e.status = 'paused' OR i.status <> 'approved' THEN 'held' ELSE 'pending' END, $2
       FROM taken t
       JOIN senders i ON i.id = t.institution_id
       JOIN takers e
         ON e.institution_id = t.institution_id AND e.created_at <= t.created_at
        AND e.events && ARRAY['*', t.type, split_part(t.type, '.', 1) || '.*']
      ORDER BY t.created_at
     ON CONFLICT (event_id, endpoint_id) DO NOTHING
     RETURNING endpoint_id, institution_id, status
   )
   SELECT (SELECT count(*)::int FROM taken) AS events,
          (SELECT coalesce(json_agg(DISTINCT jsonb_build_object('endpointId', endpoint_id, 'institutionId', institution_id)), '[]')
             FROM written WHERE status = 'pending') AS endpoints, ${unflushed}`;

/** An endpoint that has deliveries to be sent, and whose it is. */
export interface WaitingEndpoint {
  endpointId: string;
  institutionId: string;
}

/** Turns up to `limit` new events into deliveries; answers how many events and which endpoints now have some pending. */
export async function fanOutEvents(sql: Sql, limit: number, now: Date): Promise<{ events: number; endpoints: WaitingEndpoint[] }> {
  const [row] = await sql<{ events: number; endpoints: WaitingEndpoint[] }>(fanOut, [limit, now]);
  return row ?? { events: 0, endpoints: [] };
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

const claimedColumns = `d.id, d.institution_id, d.endpoint_id, d.event_id, d.event_type, d.cycle, d.attempts, d.schedule_step,
  d.next_attempt_at, d.deadline_at, (SELECT body FROM events WHERE id = d.event_id) AS body,
  e.url, e.secret_sealed, e.previous_secret_sealed, e.previous_secret_expires_at`;

const claimPending =
  `WITH unflushed AS MATERIALIZED (SELECT ${unflushed}
   ), picked AS (
     SELECT d.id
       FROM unflushed CROSS JOIN unnest($1::text[], $2::int[]) AS w (endpoint_id, room)
       JOIN webhook_endpoints e ON e.id = w.endpoint_id AND e.status = 'active' AND e.deleted_at IS NULL
       JOIN institutions i ON i.id = e.institution_id AND i.status = 'approved'
       CROSS JOIN LATERAL (
         SELECT id FROM webhook_deliveries
          WHERE endpoint_id = w.endpoint_id AND status = 'pending' AND claimed_by IS NULL
          ORDER BY event_created_at LIMIT w.room FOR NO KEY UPDATE SKIP LOCKED) d
   )
   UPDATE webhook_deliveries d
      SET claimed_by = $3, claimed_until = $5, first_attempt_at = coalesce(d.first_attempt_at, $4),
          deadline_at = coalesce(d.deadline_at, $4::timestamptz + $6 * interval '1 millisecond')
     FROM picked, webhook_endpoints e
    WHERE d.id = picked.id AND e.id = d.endpoint_id
   RETURNING ${claimedColumns}`;

/** How long a claim holds, in ms; a process that dies gives its deliveries back after it. */
const claimLeaseMs = 20_000;

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
const waitingEndpoints =
  `WITH RECURSIVE waiting AS (
     (SELECT endpoint_id FROM webhook_deliveries WHERE status = 'pending' AND claimed_by IS NULL ORDER BY endpoint_id LIMIT 1)
     UNION ALL
     SELECT (SELECT d.endpoint_id FROM webhook_deliveries d
              WHERE d.status = 'pending' AND d.claimed_by IS NULL AND d.endpoint_id > w.endpoint_id ORDER BY d.endpoint_id LIMIT 1)
       FROM waiting w WHERE w.endpoint_id IS NOT NULL
   )
   SELECT e.id AS "endpointId", e.institution_id AS "institutionId" FROM waiting w
     JOIN webhook_endpoints e ON e.id = w.endpoint_id AND e.status = 'active' AND e.deleted_at IS NULL
     JOIN institutions i ON i.id = e.institution_id AND i.status = 'approved'`;

/** Every endpoint that may be sent to and has unclaimed pending deliveries. */
export function endpointsWaiting(sql: Sql): Promise<WaitingEndpoint[]> {
  return sql(waitingEndpoints);
}

const releaseLapsed =
  'UPDATE webhook_deliveries SET claimed_by = NULL, claimed_until = NULL WHERE claimed_by IS NOT NULL AND claimed_until < $1';

// Where an attempt can never be made, nobody else would end the delivery; a pause holds its clock.
const endOverdue =
  `UPDATE webhook_deliveries d SET status = 'dead', next_attempt_at = NULL
     FROM webhook_endpoints e JOIN institutions i ON i.id = e.institution_id
    WHERE d.status = 'pending' AND d.claimed_by IS NULL AND d.deadline_at < $1
      AND e.id = d.endpoint_id AND e.status = 'active' AND i.status = 'approved'`;

/** Gives back what processes claimed that did not live to finish, and ends what was never attempted in all its time. */
export async function releaseLapsedClaims(sql: Sql, now: Date): Promise<void> {
  await sql(releaseLapsed, [now]);
  await sql(endOverdue, [now]);
}

/** The truth of one delivery, as its workflow reads it before it acts. */
export interface DeliveryTruth {
  id: string;
  status: DeliveryStatus;
  cycle: number;
  attempts: number;
  response_code: number | null;
  next_attempt_at: Date | null;
  deadline_at: Date | null;
  endpoint_status: string;
  endpoint_deleted: boolean;
  institution_status: string;
}

const truth =
  `SELECT d.id, d.status, d.cycle, d.attempts, d.response_code, d.next_attempt_at, d.deadline_at, e.status AS endpoint_status,
          e.deleted_at IS NOT NULL AS endpoint_deleted, i.status AS institution_status
     FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id JOIN institutions i ON i.id = d.institution_id
    WHERE d.institution_id = $1 AND d.id = $2`;

/** What Postgres says of a delivery now; undefined when there is none. */
export async function readTruth(sql: Sql, institutionId: string, deliveryId: string): Promise<DeliveryTruth | undefined> {
  const [row] = await sql<DeliveryTruth>(truth, [institutionId, deliveryId]);
  return row;
}

const claimOne =
  `UPDATE webhook_deliveries d SET claimed_by = $3, claimed_until = $5
     FROM webhook_endpoints e
    WHERE d.institution_id = $1 AND d.id = $2 AND e.id = d.endpoint_id AND d.status = 'retrying'
      AND (d.claimed_by IS NULL OR d.claimed_by = $3 OR d.claimed_until < $4)
   RETURNING ${claimedColumns}`;

/** Claims one retrying delivery for its workflow; undefined when it is not retrying or in other hands. */
export async function claimRetry(sql: Sql, institutionId: string, deliveryId: string, claimedBy: string, now: Date): Promise<ClaimedDelivery | undefined> {
  const until = new Date(now.getTime() + claimLeaseMs);
  const [row] = await sql<ClaimedDelivery>(claimOne, [institutionId, deliveryId, claimedBy, now, until]);
  return row;
}

const settleOne =
  `UPDATE webhook_deliveries SET status = $3, next_attempt_at = NULL, claimed_by = NULL, claimed_until = NULL
    WHERE institution_id = $1 AND id = $2 AND cycle = $4 AND status IN ('pending', 'retrying', 'held')`;

/** Ends an open delivery without an attempt. */
export async function endDelivery(sql: Sql, institutionId: string, deliveryId: string, cycle: number, status: 'dead' | 'cancelled'): Promise<void> {
  await sql(settleOne, [institutionId, deliveryId, status, cycle]);
}

// Institution and endpoint are locked and looked at again: who reads of a pause just as it ends must hold nothing, because
// the resume has passed by and nobody else would let it go.
const holdOne =
  `WITH closed AS (
     SELECT e.id FROM institutions i JOIN webhook_endpoints e ON e.institution_id = i.id
      WHERE e.institution_id = $1 AND e.id = (SELECT endpoint_id FROM webhook_deliveries WHERE institution_id = $1 AND id = $2)
        AND (e.status = 'paused' OR i.status <> 'approved')
      FOR SHARE
   ), held AS (
     UPDATE webhook_deliveries d SET status = 'held', claimed_by = NULL, claimed_until = NULL
       FROM closed WHERE d.endpoint_id = closed.id AND d.institution_id = $1 AND d.id = $2 AND d.cycle = $3 AND d.status = 'retrying'
   )
   SELECT id FROM closed`;

/** Puts a retrying delivery to rest while its endpoint or institution takes none; false when they take some again. */
export async function holdDelivery(sql: Sql, institutionId: string, deliveryId: string, cycle: number): Promise<boolean> {
  return (await sql(holdOne, [institutionId, deliveryId, cycle])).length > 0;
}

/** An attempt as it is written, with what it makes of its delivery. */
export interface RecordedAttempt {
  delivery_id: string;
  institution_id: string;
  endpoint_id: string;
  event_type: string;
  cycle: number;
  number: number;
  started_at: Date;
  ended_at: Date;
  duration_ms: number;
  connect_ms: number | null;
  response_code: number | null;
  error_class: 'dns' | 'connect' | 'tls' | 'timeout' | 'http' | 'blocked' | null;
  error: string | null;
  response_body: string | null;
  status: 'delivered' | 'retrying' | 'dead';
  next_attempt_at: Date | null;
  schedule_step: number;
  /** The workflow that takes over when the delivery is to be retried; null when one has it already. */
  owed: object | null;
}

// Every attempt is logged; it moves its delivery only while the claim is still the writer's and no other attempt came between.
const record =
  `WITH input AS (
     SELECT * FROM json_to_recordset($1::json) AS x (delivery_id text, institution_id text, endpoint_id text, event_type text, cycle int, number int,
       started_at timestamptz, ended_at timestamptz, duration_ms int, connect_ms int, response_code int, error_class text, error text,
       response_body text, status text, next_attempt_at timestamptz, schedule_step int, owed json)
   ), logged AS (
     INSERT INTO webhook_attempts (delivery_id, number, institution_id, cycle, started_at, duration_ms, connect_ms, response_code, error_class, error, response_body)
     SELECT delivery_id, number, institution_id, cycle, started_at, duration_ms, connect_ms, response_code, error_class, error, response_body FROM input
     ON CONFLICT DO NOTHING
   ), moved AS (
     UPDATE webhook_deliveries d
        SET status = i.status, attempts = i.number, schedule_step = i.schedule_step, response_code = i.response_code,
            next_attempt_at = i.next_attempt_at, delivered_at = CASE WHEN i.status = 'delivered' THEN i.ended_at END,
            claimed_by = NULL, claimed_until = NULL
       FROM input i
      WHERE d.id = i.delivery_id AND d.claimed_by = $2 AND d.cycle = i.cycle AND d.attempts = i.number - 1
        AND d.status IN ('pending', 'retrying')
     RETURNING d.id, d.institution_id
   ), owing AS (
     INSERT INTO owed_workflows (institution_id, kind, name, workflow_id, argument)
     SELECT m.institution_id, i.owed ->> 'kind', i.owed ->> 'name', i.owed ->> 'workflowId', (i.owed -> 'argument')::jsonb
       FROM moved m JOIN input i ON i.delivery_id = m.id WHERE i.owed IS NOT NULL
   )
   SELECT id FROM moved`;

/** Writes attempts in one statement, moves their deliveries and owes their workflows; answers the deliveries that moved. */
export async function recordAttempts(sql: Sql, attempts: readonly RecordedAttempt[], claimedBy: string): Promise<Set<string>> {
  const rows = await sql<{ id: string }>(record, [JSON.stringify(attempts), claimedBy]);
  return new Set(rows.map(({ id }) => id));
}

/** What a group of attempts says of one endpoint's health. */
export interface EndpointHealth {
  endpoint_id: string;
  last_success_at: Date | null;
  last_failure_at: Date | null;
  /** Failures after the last success of the group, or all of them without one. */
  failures: number;
}

const noteHealth =
  `UPDATE webhook_endpoints e
      SET last_success_at = greatest(e.last_success_at, i.last_success_at), last_failure_at = greatest(e.last_failure_at, i.last_failure_at),
          consecutive_failures = CASE WHEN i.last_success_at IS NULL THEN e.consecutive_failures + i.failures ELSE i.failures END
     FROM json_to_recordset($1::json) AS i (endpoint_id text, last_success_at timestamptz, last_failure_at timestamptz, failures int)
    WHERE e.id = i.endpoint_id`;

/** Keeps each endpoint's last success, last failure and failures in a row. */
export async function noteEndpointHealth(sql: Sql, health: readonly EndpointHealth[]): Promise<void> {
  if (health.length > 0) await sql(noteHealth, [JSON.stringify(health)]);
}
