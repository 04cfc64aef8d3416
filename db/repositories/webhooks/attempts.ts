import type { Sql } from '../../statement';
import { endingStatement } from './deliveryTables';
import { statusIsOpen } from './openDeliveries';

/** At which step an attempt failed. */
export const errorClasses = ['dns', 'connect', 'tls', 'timeout', 'http', 'blocked'] as const;
export type ErrorClass = (typeof errorClasses)[number];

/** An attempt to be recorded, with the next state of its delivery. */
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
  error_class: ErrorClass | null;
  error: string | null;
  response_body: string | null;
  /** Sent twice within this attempt: a kept-alive connection broke before a byte of a response arrived. */
  resent: boolean;
  status: 'delivered' | 'retrying' | 'dead';
  next_attempt_at: Date | null;
  schedule_step: number;
  /** Until when the receiver requested no attempts, by `Retry-After`; null if it did not. */
  asked_until: Date | null;
  /** The start of the workflow that retries this delivery, used if the endpoint may have another one; null after a success. */
  retry_workflow: object | null;
}

const logged = (condition: string): string =>
  `logged AS (
     INSERT INTO webhook_attempts (delivery_id, number, institution_id, endpoint_id, cycle, started_at, duration_ms, connect_ms, response_code, response_body, resent)
     SELECT delivery_id, number, institution_id, endpoint_id, cycle, started_at, duration_ms, connect_ms, response_code, response_body, resent FROM input
      WHERE ${condition}
     ON CONFLICT DO NOTHING
   )`;

const inputRows =
  `input AS (
     SELECT * FROM json_to_recordset($1::json) AS x (delivery_id text, institution_id text, endpoint_id text, cycle int, number int,
       started_at timestamptz, ended_at timestamptz, duration_ms int, connect_ms int, response_code int, response_body text, resent boolean, schedule_step int)
   )`;

// An attempt changes its delivery only if the claim is still the writer's and no other attempt came in between. Rows are found by the
// array of ids, even with a plan cached for an empty table.
const successes = endingStatement({
  before: inputRows,
  from: 'input i',
  where: `d.id = ANY (ARRAY(SELECT delivery_id FROM input)) AND d.id = i.delivery_id AND d.claimed_by = $2 AND d.cycle = i.cycle AND d.attempts = i.number - 1 AND d.${statusIsOpen}`,
  changes: {
    status: "'delivered'",
    attempts: 'i.number',
    schedule_step: 'i.schedule_step',
    response_code: 'i.response_code',
    error_class: 'NULL::text',
    delivered_at: 'i.ended_at',
  },
  returning: { id: 'd.id' },
  after: logged('delivery_id IN (SELECT id FROM moved)'),
});

const lockedIn = (table: 'open_deliveries' | 'webhook_deliveries'): string => `EXISTS (SELECT 1 FROM ${table} d WHERE d.id = delivery_id FOR KEY SHARE)`;

// Every attempt of a delivery that still exists is recorded, under its lock, also if it changes nothing.
const otherAttempts = `WITH ${inputRows}, ${logged(`(${lockedIn('open_deliveries')} OR ${lockedIn('webhook_deliveries')})`)} SELECT 1`;

/** Writes attempts that succeeded in one statement and moves their deliveries, delivered, to the ended ones. */
export async function recordSuccesses(sql: Sql, attempts: readonly RecordedAttempt[], claimedBy: string): Promise<void> {
  const input = JSON.stringify(attempts);
  const ended = await sql(successes, [input, claimedBy]);
  if (ended.length < attempts.length) await sql(otherAttempts, [input]);
}

/** A failure, and its position relative to the endpoint's successes known to the writer. */
export interface ConsecutiveFailure extends RecordedAttempt {
  /** Whether no success has ended after it. */
  since_success: boolean;
  /** Whether there was a success since failures of this endpoint were last written: then they are no longer consecutive. */
  success_between: boolean;
}

/** The limits of an endpoint's circuit, and of its open retry workflows. */
export interface FailureLimits {
  maxWorkflows: number;
  failuresToOpen: number;
  firstProbeMs: number;
}

const failures = `SELECT record_failures($1::json, $2, $3, $4, $5 * interval '1 millisecond') AS outbox_rows`;

/** The input row of `record_failures`. */
const failureRow = ({ retry_workflow, ...attempt }: ConsecutiveFailure): object => ({ ...attempt, 'owed': retry_workflow });

// Not in the function, because the previous release calls it too: few attempts are sent twice, and fewer of them fail.
const markResent =
  `UPDATE webhook_attempts a SET resent = true FROM unnest($1::text[], $2::int[]) AS r (delivery_id, number)
    WHERE a.delivery_id = r.delivery_id AND a.number = r.number`;

/**
 * Records failed attempts and their consequences: each delivery becomes dead, is retried by its own workflow (if its
 * endpoint may have another one and has no backlog), or is retried by the endpoint's backlog; enough consecutive failures
 * open the circuit, and later failures are held. Returns the number of outbox rows.
 */
export async function recordFailures(sql: Sql, attempts: readonly ConsecutiveFailure[], claimedBy: string, bounds: FailureLimits): Promise<number> {
  const { maxWorkflows, failuresToOpen, firstProbeMs } = bounds;
  const [row] = await sql<{ outbox_rows: number }>(failures, [JSON.stringify(attempts.map(failureRow)), claimedBy, maxWorkflows, failuresToOpen, firstProbeMs]);
  const resent = attempts.filter((attempt) => attempt.resent);
  if (resent.length > 0) await sql(markResent, [resent.map(({ delivery_id }) => delivery_id), resent.map(({ number }) => number)]);
  return row?.outbox_rows ?? 0;
}

// Of the successes, those that end a failure, and those that are late enough. What an endpoint becomes meanwhile its next success finds.
const lastSuccessStatement =
  `SELECT id, closed FROM note_successes((
     SELECT json_agg(x) FROM json_to_recordset($1::json) AS x (endpoint_id text, at timestamptz) JOIN webhook_endpoints e ON e.id = x.endpoint_id
      WHERE e.circuit <> 'closed' OR e.failing_since IS NOT NULL OR e.consecutive_failures > 0
         OR x.at > coalesce(e.last_success_at + $2 * interval '1 millisecond', '-infinity')))`;

/** What was written of the last successes of endpoints. */
export interface LastSuccesses {
  /** The endpoints whose last success was written. */
  written: string[];
  /** Those of them whose circuit, opened before it, was closed by it. */
  closed: string[];
}

/** Writes each endpoint's last success if it ends a failure, or is more than `laterByMs` later than the one that is written. */
export async function updateLastSuccesses(sql: Sql, attempts: readonly Pick<RecordedAttempt, 'endpoint_id' | 'ended_at'>[], laterByMs: number): Promise<LastSuccesses> {
  const latest = new Map<string, Date>();
  for (const { endpoint_id, ended_at } of attempts) {
    if (ended_at > (latest.get(endpoint_id) ?? new Date(0))) latest.set(endpoint_id, ended_at);
  }
  const rows = [...latest].map(([endpoint_id, at]) => ({ endpoint_id, at }));
  const written = await sql<{ id: string; closed: boolean }>(lastSuccessStatement, [JSON.stringify(rows), laterByMs]);
  return { written: written.map(({ id }) => id), closed: written.filter(({ closed }) => closed).map(({ id }) => id) };
}
