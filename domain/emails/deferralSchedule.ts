const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** How long a recipient waits after each deferral by the mail server, in ms; one more deferral ends the attempts. */
export const deferralWaitsMs: readonly number[] = [
  minuteMs, 5 * minuteMs, 15 * minuteMs, 30 * minuteMs, hourMs, 2 * hourMs, 4 * hourMs, 8 * hourMs, 12 * hourMs,
];

/** Returns when a recipient deferred `before` times, and now again, is tried next; undefined if no attempt is left. */
export function nextRetryAt(before: number, now: Date): Date | undefined {
  const waitMs = deferralWaitsMs[before];
  return waitMs === undefined ? undefined : new Date(now.getTime() + waitMs);
}
