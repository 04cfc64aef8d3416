const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** How long a recipient waits whom the mail server has put off so many times, in ms; put off once more it is given up. */
export const deferralWaitsMs: readonly number[] = [
  minuteMs, 5 * minuteMs, 15 * minuteMs, 30 * minuteMs, hourMs, 2 * hourMs, 4 * hourMs, 8 * hourMs, 12 * hourMs,
];

/** When a recipient that was put off `before` times, and now again, is tried next; undefined when it is given up. */
export function nextRetryAt(before: number, now: Date): Date | undefined {
  const waitMs = deferralWaitsMs[before];
  return waitMs === undefined ? undefined : new Date(now.getTime() + waitMs);
}
