import { quantile } from '../../bench/statistics';
import type { Caller, Try } from '../upgrade/calls';

/** What callers saw in one scenario. */
export interface CallFigures {
  requests: number;
  p50_ms: number;
  p99_ms: number;
  /** Answers that ask to come back, by their status. */
  asked_to_retry: string;
  /** Other answers of 5xx, and requests without an answer (0), by their status. */
  other_5xx: string;
  /** How long such answers followed each other, at most. */
  other_5xx_s: number;
  /** The longest time in which no call wrote. */
  no_write_s: number;
  /** Calls that did not succeed in the end. */
  failed: number;
}

/** Answers that are further apart than this belong to two disturbances. */
const apartMs = 1_000;

const isBad = ({ status, asksToRetry }: Try): boolean => (status === 0 || status >= 500) && !asksToRetry;
const isWrite = ({ operation, status }: Try): boolean => status >= 200 && status < 300 && !operation.startsWith('GET');

const inSeconds = (ms: number): number => Math.round(ms / 100) / 10;

function countsOf(statuses: readonly number[]): string {
  return [...new Set(statuses)].sort((one, other) => one - other).map((status) => `${statuses.filter((other) => other === status).length} × ${status}`).join(', ');
}

/** The longest stretch of points in time of which each follows the one before within `withinMs`. */
function longestStretch(times: readonly number[], withinMs: number): number {
  let longest = 0;
  let begun = times[0] ?? 0;
  let last = begun;
  for (const time of times) {
    if (time - last > withinMs) begun = time;
    last = time;
    longest = Math.max(longest, last - begun);
  }
  return longest;
}

function longestGap(times: readonly number[]): number {
  return times.reduce((longest, time, nth) => Math.max(longest, time - (times[nth - 1] ?? time)), 0);
}

const answeredAt = ({ at, ms }: Try): number => at + ms;

/** Returns the figures of the calls of one phase; of those alone that were sent at `since`, in ms since 1970, or later. */
export function figuresOf({ tries, failed }: Caller, phase: string, since = 0): CallFigures {
  const those = tries.filter((one) => one.phase === phase && one.at >= since);
  const bad = those.filter(isBad);
  const times = those.map(({ ms }) => ms);
  return {
    requests: those.length,
    p50_ms: Math.round(quantile(times, 0.5)),
    p99_ms: Math.round(quantile(times, 0.99)),
    asked_to_retry: countsOf(those.filter(({ asksToRetry }) => asksToRetry).map(({ status }) => status)),
    other_5xx: countsOf(bad.map(({ status }) => status)),
    other_5xx_s: inSeconds(longestStretch(bad.map(answeredAt).sort((one, other) => one - other), apartMs)),
    no_write_s: inSeconds(longestGap(those.filter(isWrite).map(answeredAt).sort((one, other) => one - other))),
    failed: failed.filter((one) => one.phase === phase && one.at >= since).length,
  };
}
