const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Waits between scheduled attempts, each from the end of the one before, in ms. */
export const retryWaitsMs = [5 * second, 30 * second, 2 * minute, 5 * minute, 15 * minute, 30 * minute, hour, 2 * hour, 3 * hour, 4 * hour] as const;

/** How long one cycle of a delivery lasts from the begin of its first attempt, in ms (section Events, Delivery 6). */
export const deliveryWindowMs = 12 * hour;

/** How long before the deadline the last attempt begins, in ms. */
export const lastAttemptLeadMs = 30 * second;

/** Waits vary by this part of themselves, so that receivers that came back are not hit at once. */
const jitter = 0.1;

/** When each wait has ended at the earliest, in ms since the first attempt began. */
const earliestWaitEndMs = retryWaitsMs.map((_wait, index) => (1 - jitter) * retryWaitsMs.slice(0, index + 1).reduce((sum, wait) => sum + wait, 0));

/** A failed attempt, as the schedule looks at it. Times are of the clock that the caller lives by. */
export interface FailedAttempt {
  startedAt: Date;
  endedAt: Date;
  deadlineAt: Date;
  /** Scheduled attempts of this cycle before this one. */
  scheduleStep: number;
  /** What was planned when the attempt was made by request, outside the schedule; null for a scheduled one. */
  plannedAt: Date | null;
  /** The receiver's `Retry-After` on a 429 or 503, in ms; null without. */
  retryAfterMs: number | null;
  /** Uniform in [0, 1). */
  random: number;
}

/** What follows a failure. */
export type NextAttempt = { status: 'retrying'; nextAttemptAt: Date; scheduleStep: number } | { status: 'dead'; scheduleStep: number };

/** How many of the waits a delivery has behind it that was retried by the schedule alone since its first attempt, in ms. */
const elapsedWaits = (ageMs: number): number => earliestWaitEndMs.filter((endMs) => endMs <= ageMs).length;

/**
 * The retry schedule: ten waits with jitter, then one last attempt 30 s before the deadline, then dead. Attempts that came
 * oftener than the waits have it, because a circuit opened and closed, use none of them up: no wait is longer than the
 * schedule has it for the time since the first attempt. A `Retry-After` moves the next attempt later, never past the last one. An attempt by request leaves the plan as it was.
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

/** For how long, in ms from `now`, an answer asks to be left alone: by `Retry-After` on 429 and 503; null when it does not. */
export function requestedRetryAfterMs({ responseCode, retryAfter }: { responseCode: number | null; retryAfter: string | null }, now: Date): number | null {
  return retryAfterStatuses.has(responseCode) ? parseRetryAfterMs(retryAfter, now) : null;
}

/** Reads a `Retry-After` header (seconds or an HTTP date) as ms from `now`; null when it is neither or lies behind. */
export function parseRetryAfterMs(header: string | null, now: Date): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * second;
  const until = Date.parse(text);
  return Number.isNaN(until) || until <= now.getTime() ? null : until - now.getTime();
}
