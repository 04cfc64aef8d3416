import type { InstitutionScope } from '../../database';
import type { EndpointStatus } from '../../entities/endpoint';
import type { InstitutionStatus } from '../../entities/institution';
import { statement, type Sql } from '../../statement';
import { firstFailure } from '../webhooks/clockPauses';
import { counted, maxCount, openOfEndpoint } from './counts';
import { responseStart } from './lastAttempt';

/** An endpoint with its institution and its health, for the support console. */
export interface SupportEndpoint {
  id: string;
  institution_id: string;
  institution_name: string;
  institution_status: InstitutionStatus;
  time_zone: string;
  url: string;
  description: string | null;
  events: string[];
  status: EndpointStatus;
  disabled_reason: string | null;
  paused_at: Date | null;
  circuit: 'closed' | 'open';
  circuit_opened_at: Date | null;
  probe_at: Date | null;
  /** Moved forward by pauses. */
  failing_since: Date | null;
  /** When it began to fail. */
  first_failed_at: Date | null;
  consecutive_failures: number;
  last_success_at: Date | null;
  last_failure_at: Date | null;
  /** Since when its clock is paused; it is not disabled meanwhile. */
  resting_since: Date | null;
  warned_percent: number | null;
  rate_limit: number | null;
  header_names: string[];
  public_key: string | null;
  previous_public_key: string | null;
  previous_secret_expires_at: Date | null;
  secret_rotated_at: Date | null;
  /** How far the clock of its institution is ahead; 0 but in a sandbox. */
  clock_offset_ms: number;
  backlog_run: number;
  backlog_open: boolean;
  created_at: Date;
  deleted_at: Date | null;
  /** Open deliveries, counted up to 1,001. */
  open: number;
}

const select = `SELECT e.id, e.institution_id, i.name AS institution_name, i.status AS institution_status, i.time_zone, e.url, e.description, e.events, e.status,
    e.disabled_reason, e.paused_at, e.circuit, e.circuit_opened_at, e.probe_at, e.failing_since, ${firstFailure} AS first_failed_at, e.consecutive_failures, e.last_success_at,
    e.last_failure_at, e.resting_since, e.warned_percent, e.rate_limit, e.header_names, e.public_key, e.previous_public_key, e.previous_secret_expires_at, e.secret_rotated_at,
    i.clock_offset_ms::float8 AS clock_offset_ms, e.backlog_run, e.backlog_open, e.created_at, e.deleted_at, ${counted(`SELECT 1 FROM (${openOfEndpoint}) o`)} AS open
  FROM webhook_endpoints e JOIN institutions i ON i.id = e.institution_id`;

const byId = statement('support_endpoint', `${select} WHERE e.id = $1`);

/** An endpoint of any institution, deleted or not. */
export async function findSupportEndpoint(sql: Sql, id: string): Promise<SupportEndpoint | undefined> {
  const [row] = await sql<SupportEndpoint>(byId, [id]);
  return row;
}

const ofInstitution = statement(
  'support_endpoints',
  `${select} WHERE e.institution_id = $1 AND e.deleted_at IS NULL ORDER BY e.created_at DESC, e.id DESC LIMIT 100`,
);

/** The endpoints of an institution that are not deleted, newest first. */
export function listSupportEndpoints(sql: Sql, institutionId: string): Promise<SupportEndpoint[]> {
  return sql(ofInstitution, [institutionId]);
}

/** An endpoint's open deliveries by status, and the dead ones; each counted up to 1,001. */
export interface Backlog {
  pending: number;
  retrying: number;
  held: number;
  dead: number;
  /** Since when the longest held one is held: the oldest is held again after each probe. */
  held_since: Date | null;
  /** When the first and the last of the held ones are given up, unless a pause moves that. Of more than 1,001, among the oldest and the newest ones. */
  first_held_deadline_at: Date | null;
  last_held_deadline_at: Date | null;
}

/** Dead deliveries of an endpoint are counted among this many newest ones of its institution. */
export const maxDeadScanned = 20_000;

/** Returns SQL of the oldest or the newest held deliveries of an endpoint, up to 1,001. */
export const heldOfEndpoint = (order: 'ASC' | 'DESC', endpoint = '$1'): string =>
  `SELECT d.held_at, d.deadline_at FROM open_deliveries d WHERE d.endpoint_id = ${endpoint} AND d.status = 'held' ORDER BY d.event_created_at ${order} LIMIT ${maxCount + 1}`;

/** Returns SQL of the dead deliveries of an endpoint among the newest 20,000 of its institution. */
export const deadOfEndpoint = (institution: string, endpoint: string): string =>
  `SELECT d.ended_at FROM (SELECT d.endpoint_id, d.ended_at FROM webhook_deliveries d WHERE d.institution_id = ${institution} AND d.status = 'dead'
     ORDER BY d.created_at DESC, d.id DESC LIMIT ${maxDeadScanned}) d WHERE d.endpoint_id = ${endpoint}`;

const backlog = statement(
  'support_backlog',
  `SELECT least(count(*) FILTER (WHERE o.status = 'pending'), ${maxCount + 1})::int AS pending,
          count(*) FILTER (WHERE o.status = 'retrying')::int AS retrying, count(*) FILTER (WHERE o.status = 'held')::int AS held,
          ${counted(deadOfEndpoint('$2', '$1'))} AS dead,
          oldest.held_since, oldest.first_held_deadline_at, newest.last_held_deadline_at
     FROM webhook_endpoints e LEFT JOIN LATERAL (${openOfEndpoint}) o ON true
     CROSS JOIN (SELECT min(h.held_at) AS held_since, min(h.deadline_at) AS first_held_deadline_at FROM (${heldOfEndpoint('ASC')}) h) oldest
     CROSS JOIN (SELECT max(h.deadline_at) AS last_held_deadline_at FROM (${heldOfEndpoint('DESC')}) h) newest
    WHERE e.id = $1 GROUP BY oldest.held_since, oldest.first_held_deadline_at, newest.last_held_deadline_at`,
);

/** Counts an endpoint's deliveries by status. Dead ones are counted among the institution's newest 20,000. */
export async function readBacklog(sql: Sql, endpointId: string, institutionId: string): Promise<Backlog> {
  const [row] = await sql<Backlog>(backlog, [endpointId, institutionId]);
  return row ?? { pending: 0, retrying: 0, held: 0, dead: 0, held_since: null, first_held_deadline_at: null, last_held_deadline_at: null };
}

const deadSince = statement('support_dead_since', `SELECT count(*)::int AS count FROM (${deadOfEndpoint('$1', '$2')}) d WHERE d.ended_at >= $3`);

/** Counts the deliveries of an endpoint that were given up since a time, among the newest 20,000 of its institution. */
export async function countDeadSince({ sql, institutionId }: InstitutionScope, endpointId: string, since: Date): Promise<number> {
  const [row] = await sql<{ count: number }>(deadSince, [institutionId, endpointId, since]);
  return row?.count ?? 0;
}

/** Success of an endpoint's attempts since a time, and the latency of those with a response. Durations in ms; null without any. */
export interface AttemptStats {
  attempts: number;
  successes: number;
  p50: number | null;
  p95: number | null;
}

/** Maximum number of attempts that the figures include, newest first. */
export const maxStatsAttempts = 20_000;

const attemptStats = statement(
  'support_attempt_figures',
  `SELECT count(*)::int AS attempts, count(*) FILTER (WHERE error_class IS NULL AND response_code BETWEEN 200 AND 299)::int AS successes,
          percentile_cont(0.5) WITHIN GROUP (ORDER BY duration_ms) FILTER (WHERE response_code IS NOT NULL) AS p50,
          percentile_cont(0.95) WITHIN GROUP (ORDER BY duration_ms) FILTER (WHERE response_code IS NOT NULL) AS p95
     FROM (SELECT error_class, response_code, duration_ms FROM webhook_attempts
            WHERE endpoint_id = $1 AND started_at > $2 ORDER BY started_at DESC LIMIT ${maxStatsAttempts}) a`,
);

/** Returns success and latency of an endpoint's attempts since a time, at most the newest 20,000. */
export async function readAttemptStats(sql: Sql, endpointId: string, since: Date): Promise<AttemptStats> {
  const [row] = await sql<AttemptStats>(attemptStats, [endpointId, since]);
  return row ?? { attempts: 0, successes: 0, p50: null, p95: null };
}

/** The newest attempt at an endpoint. */
export interface LastAttemptOfEndpoint {
  delivery_id: string;
  number: number;
  response_code: number | null;
  error_class: string | null;
  /** The first 200 characters of the response. */
  response_start: string | null;
}

const lastAttemptOfEndpoint = statement(
  'support_last_attempt_of_endpoint',
  `SELECT delivery_id, number, response_code, error_class, ${responseStart} AS response_start FROM webhook_attempts WHERE endpoint_id = $1 ORDER BY started_at DESC LIMIT 1`,
);

/** Returns the newest attempt at an endpoint; undefined if none is stored. */
export async function findLastAttemptOfEndpoint(sql: Sql, endpointId: string): Promise<LastAttemptOfEndpoint | undefined> {
  const [row] = await sql<LastAttemptOfEndpoint>(lastAttemptOfEndpoint, [endpointId]);
  return row;
}

/** The deliveries that were given up when an endpoint was disabled: those that were open, and the one that was answered with 410. */
export interface DeadByDisabling {
  count: number;
  /** When the oldest one was created; null if there are none. */
  oldest_created_at: Date | null;
}

// They end at the end of the attempt, the event of the disabling is stamped when its transaction commits.
const deadByDisabling = statement(
  'support_dead_by_disabling',
  `SELECT count(*)::int AS count, min(d.created_at) AS oldest_created_at
     FROM (SELECT endpoint_id, end_reason, ended_at, response_code, deadline_at, created_at FROM webhook_deliveries
            WHERE institution_id = $1 AND status = 'dead' ORDER BY created_at DESC, id DESC LIMIT ${maxDeadScanned}) d
    WHERE d.endpoint_id = $2 AND d.created_at <= $3
      AND ((d.end_reason = 'endpoint_disabled' AND d.ended_at >= $3 - interval '1 minute') OR (d.response_code = $4 AND coalesce(d.deadline_at > $3, true)))`,
);

/** Counts the deliveries that died when an endpoint was disabled at a moment, among the institution's newest 20,000 dead ones. */
export async function readDeadByDisabling(sql: Sql, institutionId: string, endpointId: string, disabledAt: Date, goneStatusCode: number): Promise<DeadByDisabling> {
  const [row] = await sql<DeadByDisabling>(deadByDisabling, [institutionId, endpointId, disabledAt, goneStatusCode]);
  return row ?? { count: 0, oldest_created_at: null };
}
