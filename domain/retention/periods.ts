const dayMs = 86_400_000;

/** How long rows are kept, in ms (section Events, Retention): counted from their creation or end. */
export const retentionMs = {
  events: 30 * dayMs,
  deliveries: 90 * dayMs,
  /** A day more than the longest period of statistics. */
  endpointStatistics: 31 * dayMs,
  sessions: 30 * dayMs,
  seats: 90 * dayMs,
  signInCodes: 30 * dayMs,
  provisioningBatches: 30 * dayMs,
  examNotices: 30 * dayMs,
  weeklyReportLetters: 90 * dayMs,
  weeklyReports: 104 * 7 * dayMs,
  alphaProgress: 400 * dayMs,
  sandboxEmails: 30 * dayMs,
  signIns: 365 * dayMs,
  /** Counted from their expiry. */
  enrolmentCodes: 30 * dayMs,
  /** Counted from their expiry: they have the address that a person wanted. */
  mailboxChanges: dayMs,
  accountClaims: dayMs,
  /** Counted from the start of an upload that was never finished. */
  unfinishedFiles: dayMs,
} as const;

/** Returns the time before which rows, by creation or end, are no longer kept at `now`. */
export function retentionCutoff(kind: keyof typeof retentionMs, now: Date): Date {
  return new Date(now.getTime() - retentionMs[kind]);
}

/** Returns until when a row of a time is kept at least. */
export const keptUntil = (kind: keyof typeof retentionMs, at: Date): Date => new Date(at.getTime() + retentionMs[kind]);
