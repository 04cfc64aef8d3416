import type { InstitutionScope } from '../../database';
import { statement, type Sql } from '../../statement';

/** The attempts at an endpoint in one range of time. */
export interface AttemptCounts {
  attempts: number;
  failures: number;
  /** Responses by latency, in the ranges of `latencyBoundsMs`. */
  latencies: number[];
}

/** The counts of the range with this number, from 0. */
export interface RangeCounts extends AttemptCounts {
  range: number;
}

const inRanges = statement(
  'endpoint_statistics',
  `SELECT floor(extract(epoch FROM hour - $3::timestamptz) / $5)::int AS range, sum(attempts)::int AS attempts, sum(failures)::int AS failures,
          ARRAY[sum(latency_50), sum(latency_100), sum(latency_250), sum(latency_500), sum(latency_1000), sum(latency_2500), sum(latency_5000),
                sum(latency_slower)]::int[] AS latencies
     FROM endpoint_statistics
    WHERE institution_id = $1 AND endpoint_id = $2 AND hour >= $3 AND hour < $4
    GROUP BY range ORDER BY range`,
);

/** Counts an endpoint's attempts from `from` on and before `until`, both full hours, in ranges of `rangeSeconds`; a range without attempts is absent. */
export function countAttemptsInRanges(scope: InstitutionScope, endpointId: string, from: Date, until: Date, rangeSeconds: number): Promise<RangeCounts[]> {
  return scope.sql<RangeCounts>(inRanges, [scope.institutionId, endpointId, from, until, rangeSeconds]);
}

const deleteOld =
  `DELETE FROM endpoint_statistics WHERE (endpoint_id, hour) IN (
     SELECT endpoint_id, hour FROM endpoint_statistics WHERE hour < $1 ORDER BY hour LIMIT $2 FOR UPDATE SKIP LOCKED)
   RETURNING 1`;

/** Deletes at most `limit` hours of statistics of any institution that began before a time; returns the number. */
export async function deleteStatisticsBefore(sql: Sql, before: Date, limit: number): Promise<number> {
  return (await sql(deleteOld, [before, limit])).length;
}
