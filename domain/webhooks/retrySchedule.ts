const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Waits between scheduled attempts, each from the end of the previous one, in ms. */
export const retryWaitsMs = [5 * second, 30 * second, 2 * minute, 5 * minute, 15 * minute, 30 * minute, hour, 2 * hour, 3 * hour, 4 * hour] as const;

/** How long one cycle of a delivery lasts from the start of its first attempt, in ms (section Events, Delivery 6). */
export const deliveryWindowMs = 12 * hour;

/** How long before the deadline the last attempt begins, in ms. */
export const lastAttemptLeadMs = 30 * second;

/** Relative jitter of the waits, so that recovered receivers do not get all retries at the same time. */
const jitter = 0.1;

/** The earliest end of each wait, in ms since the first attempt began. */
const earliestWaitEndMs = retryWaitsMs.map((_wait, index) => (1 - jitter) * retryWaitsMs.slice(0, index + 1).reduce((sum, wait) => sum + wait, 0));

/** A failed attempt as input of the schedule. Times are of the caller's clock. */
export interface FailedAttempt {
  startedAt: Date;
  endedAt: Date;
  deadlineAt: Date;
  /** Scheduled attempts of this cycle before this one. */
  scheduleStep: number;
  /** The planned attempt that was pending when this one was made by request; null for a scheduled one. */
  plannedAt: Date | null;
  /** The receiver's `Retry-After` on a 429 or 503, in ms; null without. */
  retryAfterMs: number | null;
  /** Uniform in [0, 1). */
  random: number;
}

/** What happens after a failure. */
export type NextAttempt = { status: 'retrying'; nextAttemptAt: Date; scheduleStep: number } | { status: 'dead'; scheduleStep: number };

/** Returns how many waits have passed for a delivery of this age, in ms, that was retried only by the schedule. */
const elapsedWaits = (ageMs: number): number => earliestWaitEndMs.filter((endMs) => endMs <= ageMs).length;

/**
 * Returns what follows a failed attempt: ten waits with jitter, then one last attempt 30 s before the deadline, then dead.
 * Attempts more frequent than the waits, because a circuit opened and closed, use none of them up: no wait is longer than
 * the schedule's wait for the time since the first attempt. A `Retry-After` delays the next attempt, never beyond the
 * last one. An attempt by request leaves the plan unchanged.
 */
export function scheduleAfterFailure(attempt: FailedAttempt): NextAttempt {
  const { startedAt, endedAt, deadlineAt, plannedAt } = attempt;
  const last = deadlineAt.getTime() - lastAttemptLeadMs;
  const byRequest = plannedAt !== null;
  const scheduleStep = attempt.scheduleStep + (byRequest ? 0 : 1);
  if (startedAt.getTime() >= last) return { status: 'dead', scheduleStep };
  const ageMs = endedAt.getTime() - (deadlineAt.getTime() - deliveryWindowMs);
  const wait = retryWaitsMs[Math.min(scheduleStep - 1, elapsedWaits(ageMs))];
  const scheduled = byRequest
    ? plannedAt.getTime()
    : wait === undefined
      ? last
      : endedAt.getTime() + Math.round(wait * (1 - jitter + 2 * jitter * attempt.random));
  const requested = endedAt.getTime() + (attempt.retryAfterMs ?? 0);
  return { status: 'retrying', nextAttemptAt: new Date(Math.min(Math.max(scheduled, requested), last)), scheduleStep };
}

const retryAfterStatuses: ReadonlySet<number | null> = new Set([429, 503]);

/** Returns how long, in ms from `now`, a response asks not to be retried: by `Retry-After` on 429 and 503; null otherwise. */
export function requestedRetryAfterMs({ responseCode, retryAfter }: { responseCode: number | null; retryAfter: string | null }, now: Date): number | null {
  return retryAfterStatuses.has(responseCode) ? parseRetryAfterMs(retryAfter, now) : null;
}

/** Parses a `Retry-After` header (seconds or an HTTP date) as ms from `now`; null if it is neither or in the past. */
export function parseRetryAfterMs(header: string | null, now: Date): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * second;
  const until = Date.parse(text);
  return Number.isNaN(until) || until <= now.getTime() ? null : until - now.getTime();
}
