import { DatabaseClock } from '../db/databaseClock';
import { findClockOffset } from '../db/repositories/institutions/institutions';
import type { Sql } from '../db/statement';
import { onClock, type ClockOffset } from '../domain/clock';

/** The time of an activity by the clock of its institution, and how far that clock is ahead. */
export interface ActivityTime extends ClockOffset {
  readonly now: Date;
}

/** Returns how far the clock of an institution is ahead as a result of an activity has it: nothing for an institution whose clock is the real one. */
export const clockAhead = ({ clockOffsetMs }: ClockOffset): Partial<ClockOffset> => (clockOffsetMs === 0 ? {} : { clockOffsetMs });

/** Returns a moment by the clock of an institution. */
export async function readInstitutionTime(sql: Sql, institutionId: string, at: Date): Promise<ActivityTime> {
  const clockOffsetMs = (await findClockOffset(sql, institutionId)) ?? 0;
  return { now: onClock({ clockOffsetMs }, at), clockOffsetMs };
}

/** Returns the real time used for deadlines of an activity: not before the machine's, nor before the workflow's, which may be skipped time in tests. */
export const realNow = (nowMs: number): Date => new Date(Math.max(nowMs, Date.now()));

/**
 * Returns the time used for rules and deadlines of an activity, by the clock of its institution: not before the machine's time,
 * because the workflow may have scheduled it long ago on a worker that was killed; and not before the workflow's, which may be
 * skipped time in tests.
 */
export const activityTime = (sql: Sql, institutionId: string, nowMs: number): Promise<ActivityTime> => readInstitutionTime(sql, institutionId, realNow(nowMs));

/** Returns that time alone. */
export async function activityNow(sql: Sql, institutionId: string, nowMs: number): Promise<Date> {
  return (await activityTime(sql, institutionId, nowMs)).now;
}

/**
 * The same by the clock of Postgres instead of the machine's, which may be a minute ahead or behind: what other workers have
 * written of a delivery (its next attempt, its deadline, its endpoint's next probe) goes by that clock.
 */
export function createDatabaseActivityTime(sql: Sql): (institutionId: string, nowMs: number) => Promise<ActivityTime> {
  const clock = new DatabaseClock();
  return async (institutionId, nowMs) => readInstitutionTime(sql, institutionId, new Date(Math.max(nowMs, (await clock.read(sql)).getTime())));
}
