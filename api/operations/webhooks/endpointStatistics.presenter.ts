import type { EndpointStatistics, StatisticsRange } from '../../../domain/webhooks/endpointStatistics';
import { latencyPercentile } from '../../../domain/webhooks/latency';
import type { EndpointStatisticsResponse, StatisticsRangeResponse } from './endpointStatistics.schemas';

const presentRange = ({ from, until, attempts, failures, latencies }: StatisticsRange): StatisticsRangeResponse => ({
  from: from.toISOString(),
  until: until.toISOString(),
  attempts,
  failures,
  latency_p50_ms: latencyPercentile(latencies, 0.5),
  latency_p95_ms: latencyPercentile(latencies, 0.95),
});

/** The attempts at an endpoint over a period. */
export function presentEndpointStatistics({ ranges, ...whole }: EndpointStatistics): EndpointStatisticsResponse {
  return { ...presentRange(whole), ranges: ranges.map(presentRange) };
}
