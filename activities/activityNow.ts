import { DatabaseClock } from '../db/databaseClock';
import type { Sql } from '../db/statement';

/**
 * Returns the time used for signatures, claims and deadlines of an activity: not before the machine's time, because the
 * workflow may have scheduled it long ago on a worker that was killed; and not before the workflow's, which may be skipped
 * time in tests.
 */
export const activityNow = (nowMs: number): Date => new Date(Math.max(nowMs, Date.now()));

/**
 * The same by the clock of Postgres instead of the machine's, which may be a minute ahead or behind: what other workers have
 * written of a delivery (its next attempt, its deadline, its endpoint's next probe) goes by that clock.
 */
export function createDatabaseActivityNow(sql: Sql): (nowMs: number) => Promise<Date> {
  const clock = new DatabaseClock();
  return async (nowMs) => new Date(Math.max(nowMs, (await clock.read(sql)).getTime()));
}
