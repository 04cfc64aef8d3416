import type { InstitutionScope } from '../../database';
import { onClock } from '../../institutionClock';
import { statement, type Sql } from '../../statement';
import type { ErrorClass } from './attempts';
import { warningPercents } from './warningPercents';

/** An endpoint, and how far the clock of its institution is ahead, in ms. */
export interface EndpointOnClock {
  id: string;
  institution_id: string;
  clock_offset_ms: number;
}

const institutionNow = onClock('$1::timestamptz', 'i.clock_offset_ms');
// The threshold after the last one warned of; null after the last of all.
const nextPercent = `(SELECT min(percent) FROM unnest(ARRAY[${warningPercents.join(', ')}]) percent WHERE percent > coalesce(e.warned_percent, 0))`;

// Attempts are counted for the few endpoints that have failed for so long, so that a quiet one is not locked every minute.
const toWarn =
  `SELECT e.id, e.institution_id, i.clock_offset_ms::float8 AS clock_offset_ms FROM webhook_endpoints e JOIN institutions i ON i.id = e.institution_id
    WHERE e.status = 'active' AND e.deleted_at IS NULL AND e.resting_since IS NULL
      AND e.failing_since <= ${institutionNow} - $2::float8 * (${nextPercent}) / 100 * interval '1 millisecond'
      AND (SELECT count(*) FROM (
        SELECT 1 FROM webhook_attempts a WHERE a.endpoint_id = e.id AND a.started_at > ${institutionNow} - $3::float8 * interval '1 millisecond' LIMIT $4) AS recent) = $4
    ORDER BY e.failing_since LIMIT $5`;

/**
 * Returns the active endpoints whose next warning is due at `now`, a real time, by the clocks of their institutions: their part
 * of `disableAfterMs` has passed, with at least `minAttempts` in the last `withinMs`. At most `limit`, those that have failed for longest.
 */
export function findEndpointsToWarn(
  sql: Sql,
  now: Date,
  { disableAfterMs, withinMs, minAttempts, limit }: { disableAfterMs: number; withinMs: number; minAttempts: number; limit: number },
): Promise<EndpointOnClock[]> {
  return sql(toWarn, [now, disableAfterMs, withinMs, minAttempts, limit]);
}

const warnedNoLonger =
  `SELECT e.id, e.institution_id, i.clock_offset_ms::float8 AS clock_offset_ms FROM webhook_endpoints e JOIN institutions i ON i.id = e.institution_id
    WHERE e.warned_percent IS NOT NULL AND e.deleted_at IS NULL AND (e.failing_since IS NULL OR e.last_success_at IS DISTINCT FROM e.warned_success_at)
    ORDER BY e.id LIMIT $1`;

/** Returns the endpoints that were warned of and are no longer failing, or had a success in between; at most `limit`. */
export function findWarnedNoLonger(sql: Sql, limit: number): Promise<EndpointOnClock[]> {
  return sql(warnedNoLonger, [limit]);
}

/** The last warning of an endpoint, and the failures and the success that it was based on; all null without one. */
export interface EndpointWarning {
  percent: number | null;
  failingSince: Date | null;
  lastSuccessAt: Date | null;
}

// Not a change of the endpoint by its owner: `updated_at` stays.
const setWarning = statement(
  'endpoint_set_warning',
  'UPDATE webhook_endpoints SET warned_percent = $3, warned_failing_since = $4, warned_success_at = $5 WHERE institution_id = $1 AND id = $2',
);

/** Records the last warning of a locked endpoint. */
export async function recordWarning(scope: InstitutionScope, id: string, { percent, failingSince, lastSuccessAt }: EndpointWarning): Promise<void> {
  await scope.sql(setWarning, [scope.institutionId, id, percent, failingSince, lastSuccessAt]);
}

/** How the last attempt of an endpoint ended. */
export interface LastResponse {
  response_code: number | null;
  error_class: ErrorClass | null;
}

const lastResponse = statement(
  'endpoint_last_response',
  'SELECT response_code, error_class FROM webhook_attempts WHERE institution_id = $1 AND endpoint_id = $2 ORDER BY started_at DESC LIMIT 1',
);

/** Returns how the last attempt of an endpoint ended. */
export async function readLastAttempt(scope: InstitutionScope, endpointId: string): Promise<LastResponse> {
  const [row] = await scope.sql<LastResponse>(lastResponse, [scope.institutionId, endpointId]);
  return row ?? { response_code: null, error_class: null };
}
