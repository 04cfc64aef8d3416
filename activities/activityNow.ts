/**
 * Returns the time used for signatures, claims and deadlines of an activity: not before the machine's time, because the
 * workflow may have scheduled it long ago on a worker that was killed; and not before the workflow's, which may be skipped
 * time in tests.
 */
export const activityNow = (nowMs: number): Date => new Date(Math.max(nowMs, Date.now()));
