import { findEndpoint } from '../../db/repositories/webhooks/endpoints';
import { countAttemptsInRanges, type AttemptCounts } from '../../db/repositories/webhooks/endpointStatistics';
import type { InstitutionScope } from '../../db/database';
import { requireFound } from '../errors';
import { latencyBoundsMs } from './latency';

const hourMs = 3_600_000;

/** The periods of statistics. */
export const statisticsPeriods = ['24h', '30d'] as const;
export type StatisticsPeriod = (typeof statisticsPeriods)[number];

/** How many ranges a period has, and how many hours a range is. */
const rangesOfPeriod: Record<StatisticsPeriod, { ranges: number; hours: number }> = { '24h': { ranges: 24, hours: 1 }, '30d': { ranges: 30, hours: 24 } };

/** The attempts of a range that begins at `from` and ends before `until`. */
export interface StatisticsRange extends AttemptCounts {
  from: Date;
  until: Date;
}

/** The attempts at an endpoint over a period, and in each of its ranges, oldest first. */
export interface EndpointStatistics extends StatisticsRange {
  ranges: StatisticsRange[];
}

const noAttempts = (): AttemptCounts => ({ attempts: 0, failures: 0, latencies: latencyBoundsMs.map(() => 0) });

/** Returns the statistics of an endpoint over the period that ends with the present hour; `not_found` for an unknown endpoint. */
export async function readEndpointStatistics(scope: InstitutionScope, endpointId: string, period: StatisticsPeriod, now: Date): Promise<EndpointStatistics> {
  requireFound(await findEndpoint(scope, endpointId), 'webhook endpoint');
  return countStatistics(scope, endpointId, period, now);
}

/** Returns the statistics of an endpoint, deleted or not, over the period that ends with the present hour. */
export async function countStatistics(scope: InstitutionScope, endpointId: string, period: StatisticsPeriod, now: Date): Promise<EndpointStatistics> {
  const { ranges: count, hours } = rangesOfPeriod[period];
  const untilMs = (Math.floor(now.getTime() / hourMs) + 1) * hourMs;
  const rangeMs = hours * hourMs;
  const fromMs = untilMs - count * rangeMs;
  const counted = await countAttemptsInRanges(scope, endpointId, new Date(fromMs), new Date(untilMs), rangeMs / 1000);
  const ranges = Array.from({ length: count }, (_, index) => {
    const { attempts, failures, latencies } = counted.find(({ range }) => range === index) ?? noAttempts();
    return { from: new Date(fromMs + index * rangeMs), until: new Date(fromMs + (index + 1) * rangeMs), attempts, failures, latencies };
  });
  return { from: new Date(fromMs), until: new Date(untilMs), ...ranges.reduce(addCounts, noAttempts()), ranges };
}

function addCounts(sum: AttemptCounts, { attempts, failures, latencies }: AttemptCounts): AttemptCounts {
  return {
    attempts: sum.attempts + attempts,
    failures: sum.failures + failures,
    latencies: sum.latencies.map((count, index) => count + (latencies[index] ?? 0)),
  };
}
