const dayMs = 86_400_000;

/** How long things are kept, in ms (section Events, Retention): counted from when they were created, or were over. */
export const retentionMs = {
  events: 30 * dayMs,
  deliveries: 90 * dayMs,
  sessions: 30 * dayMs,
  seats: 90 * dayMs,
  signInCodes: 30 * dayMs,
  provisioningBatches: 30 * dayMs,
  examNotices: 30 * dayMs,
  weeklyReportLetters: 90 * dayMs,
  weeklyReports: 104 * 7 * dayMs,
  alphaProgress: 400 * dayMs,
  /** Counted from when an upload began that nobody saw the end of. */
  unfinishedFiles: dayMs,
} as const;

/** What was created, or was over, before this moment is no longer kept at `now`. */
export function retentionCutoff(kind: keyof typeof retentionMs, now: Date): Date {
  return new Date(now.getTime() - retentionMs[kind]);
}
