import type { Client } from 'pg';

/** The days over which the history is spread; the newest row is an hour old. */
const historyDays = 30;

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** When rows of the history were made: the n-th, from 1, `stepMs` after the one before. */
export interface HistoryTimes {
  from: Date;
  stepMs: number;
}

/** Events of one institution have a millisecond each. */
export function historyTimes(count: number, now: Date): HistoryTimes {
  const stepMs = Math.floor((historyDays * dayMs) / count);
  if (stepMs < 1) throw new Error(`${count} events do not fit into ${historyDays} days`);
  return { from: new Date(now.getTime() - hourMs - count * stepMs), stepMs };
}

/** Whose history it is. */
interface HistoryOwner {
  institutionId: string;
  endpointId: string;
  students: number;
}

/** The ten characters with which the id of something that was made at a time begins, as SQL. */
const timePart = Array.from({ length: 10 }, (_, nth) => `substr('0123456789abcdefghjkmnpqrstvwxyz', ((ms >> ${5 * (9 - nth)}) & 31)::int + 1, 1)`).join(' || ');

// Ids are as long as real ones, and begin with their time, as real ones do.
const rows = `SELECT n, at, ${timePart} || lpad(n::text, 16, '0') AS id
  FROM (SELECT n, $3::timestamptz + n * ($4::int * interval '1 ms') AS at, (extract(epoch FROM $3::timestamptz) * 1000)::bigint + n * $4::bigint AS ms
          FROM generate_series($1::int, $2::int) n) timed`;

const events = `INSERT INTO events (id, institution_id, type, created_at, body)
SELECT 'evt_' || id, $5::text, 'student.updated', at,
       '{"id":"evt_' || id || '","type":"student.updated","created_at":"' || to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
       || '","institution_id":"' || $5::text || '","data":{"student_id":"stu_' || lpad((1 + n % $6::int)::text, 26, '0') || '","changed":["full_name"],"status":"active"}}'
  FROM (${rows}) made`;

// Of a thousand 15 are dead, 5 are cancelled, and all others arrived at once.
const deliveries = `INSERT INTO webhook_deliveries (id, institution_id, endpoint_id, event_id, event_type, event_created_at, status, attempts,
       response_code, error_class, first_attempt_at, delivered_at, ended_at, created_at)
SELECT 'whd_' || id, $5::text, $6::text, 'evt_' || id, 'student.updated', at,
       CASE WHEN n % 1000 < 15 THEN 'dead' WHEN n % 1000 < 20 THEN 'cancelled' ELSE 'delivered' END, 1,
       CASE WHEN n % 1000 < 20 THEN 500 ELSE 204 END, CASE WHEN n % 1000 < 20 THEN 'http' END,
       at, CASE WHEN n % 1000 >= 20 THEN at END, at, at
  FROM (${rows}) made`;

const attempts = `INSERT INTO webhook_attempts (delivery_id, number, institution_id, cycle, started_at, duration_ms, connect_ms, response_code, error_class, response_body, endpoint_id)
SELECT 'whd_' || id, 1, $5::text, 1, at, 3 + n % 40, 1, CASE WHEN n % 1000 < 20 THEN 500 ELSE 204 END, CASE WHEN n % 1000 < 20 THEN 'http' END,
       CASE WHEN n % 1000 < 20 THEN '{"error":"unavailable"}' END, $6::text
  FROM (${rows}) made`;

/** Inserts the n-th to the m-th event. */
export async function insertEvents(client: Client, { institutionId, students }: Pick<HistoryOwner, 'institutionId' | 'students'>, { from, stepMs }: HistoryTimes, first: number, last: number): Promise<void> {
  await client.query(events, [first, last, from, stepMs, institutionId, students]);
}

/** Inserts the n-th to the m-th event, each with a delivery that has ended, and its attempt. */
export async function insertHistory(client: Client, { endpointId, ...owner }: HistoryOwner, times: HistoryTimes, first: number, last: number): Promise<void> {
  await insertEvents(client, owner, times, first, last);
  const range = [first, last, times.from, times.stepMs, owner.institutionId];
  await client.query(deliveries, [...range, endpointId]);
  await client.query(attempts, [...range, endpointId]);
}
