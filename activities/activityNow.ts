/**
 * When work that a workflow asked for is done, which signatures, claims and deadlines go by: not before the machine's time,
 * because the workflow may have asked long ago, of a worker that was killed; and not before the workflow's, which may be
 * skipped time.
 */
export const activityNow = (nowMs: number): Date => new Date(Math.max(nowMs, Date.now()));
