import { statement, type Sql } from '../../statement';
import { changeColumns, type AuditedChange } from '../auditLog/auditLog';

const failures = statement(
  'support_failures_of_delivery',
  `SELECT DISTINCT coalesce('HTTP ' || response_code, error_class, 'no answer') AS outcome
     FROM webhook_attempts WHERE delivery_id = $1 AND number < $2 ORDER BY outcome LIMIT 10`,
);

/** Returns how the attempts of a delivery before one failed, each way once: `HTTP 500`, or an error class. */
export async function listEarlierFailures(sql: Sql, deliveryId: string, attempt: number): Promise<string[]> {
  const rows = await sql<{ outcome: string }>(failures, [deliveryId, attempt]);
  return rows.map(({ outcome }) => outcome);
}

const attemptsBetween = statement(
  'support_attempts_between',
  'SELECT count(*)::int AS count FROM (SELECT 1 FROM webhook_attempts WHERE endpoint_id = $1 AND started_at > $2 AND started_at <= $3 LIMIT $4) a',
);

/** Counts the attempts at an endpoint that began in a time, up to a number. */
export async function countAttemptsBetween(sql: Sql, endpointId: string, { after, until }: { after: Date; until: Date }, limit: number): Promise<number> {
  const [row] = await sql<{ count: number }>(attemptsBetween, [endpointId, after, until, limit]);
  return row?.count ?? 0;
}

/** The attempts at an endpoint that began in a time. */
export interface AttemptsMeanwhile {
  count: number;
  /** How many of them began in the first half of the time. */
  early: number;
  /** How long they took together, in ms. */
  totalMs: number;
  slowestMs: number;
}

const attemptsMeanwhile = statement(
  'support_attempts_meanwhile',
  `SELECT count(*)::int AS count, (count(*) FILTER (WHERE started_at < $2::timestamptz + ($3::timestamptz - $2::timestamptz) / 2))::int AS early,
          coalesce(sum(duration_ms), 0)::float8 AS "totalMs", coalesce(max(duration_ms), 0) AS "slowestMs"
     FROM (SELECT started_at, duration_ms FROM webhook_attempts WHERE endpoint_id = $1 AND started_at > $2 AND started_at < $3 ORDER BY started_at LIMIT $4) a`,
);

/** Returns what was sent to an endpoint in a time, reading the first attempts up to a number. */
export async function readAttemptsMeanwhile(sql: Sql, endpointId: string, { after, until }: { after: Date; until: Date }, limit: number): Promise<AttemptsMeanwhile> {
  const [row] = await sql<AttemptsMeanwhile>(attemptsMeanwhile, [endpointId, after, until, limit]);
  return row ?? { count: 0, early: 0, totalMs: 0, slowestMs: 0 };
}

const lastEventsChanges = statement(
  'support_last_events_changes',
  `SELECT DISTINCT ON (named.value) ${changeColumns}
     FROM audit_log CROSS JOIN LATERAL (SELECT value FROM jsonb_each_text(target)) named
    WHERE institution_id = $1 AND operation = 'updateWebhookEndpoint' AND 'events' = ANY (changed) AND at < $2 AND named.value = ANY ($3::text[])
    ORDER BY named.value, at DESC, id DESC`,
);

/** Returns the last calls before a moment that changed the subscriptions of some endpoints, at most one for each. */
export const listLastEventsChanges = (sql: Sql, institutionId: string, endpointIds: readonly string[], before: Date): Promise<AuditedChange[]> => sql(lastEventsChanges, [institutionId, before, endpointIds]);

const changesOfEndpoint = `SELECT ${changeColumns} FROM audit_log
    WHERE institution_id = $1 AND operation = ANY (ARRAY['createWebhookEndpoint', 'updateWebhookEndpoint']) AND $3 = ANY (changed)
      AND $2 IN (SELECT value FROM jsonb_each_text(target))`;

const lastChange = statement('support_last_change_of_endpoint', `${changesOfEndpoint} AND at < $4 ORDER BY at DESC, id DESC LIMIT 1`);
const firstChange = statement('support_first_change_of_endpoint', `${changesOfEndpoint} AND at >= $4 ORDER BY at, id LIMIT 1`);

/** Returns the first call from a moment on that set a field of an endpoint; undefined if it is not in the audit log. */
export async function findFirstChangeOfEndpoint(sql: Sql, institutionId: string, endpointId: string, field: 'rate_limit', since: Date): Promise<AuditedChange | undefined> {
  const [row] = await sql<AuditedChange>(firstChange, [institutionId, endpointId, field, since]);
  return row;
}

/** Returns the last call before a moment that set a field of an endpoint; undefined if it is not in the audit log. */
export async function findLastChangeOfEndpoint(sql: Sql, institutionId: string, endpointId: string, field: 'rate_limit' | 'status', before: Date): Promise<AuditedChange | undefined> {
  const [row] = await sql<AuditedChange>(lastChange, [institutionId, endpointId, field, before]);
  return row;
}
