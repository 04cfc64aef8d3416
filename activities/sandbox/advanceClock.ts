import { readTimeZone } from '../../db/repositories/institutions/institutions';
import { institutionScope } from '../../db/database';
import type { Domain } from '../../domain/context';
import type { WorkflowArguments } from '../../domain/outbox/workflows';
import { writeWeeklyReports, type ReportPosition } from '../../domain/reports/writeWeeklyReports';
import { skippedWeekEnds, wakeWaiting, type WakePosition, type WakeStep } from '../../domain/sandbox/dueAfterAdvance';
import { transact } from '../../domain/transact';
import { activityNow } from '../activityNow';

type ClockAdvance = WorkflowArguments['sandboxClockAdvance'];

/** The activities of a clock that was advanced. All are idempotent. */
export interface ClockAdvanceActivities {
  /** Signals one chunk of the sandbox's waiting workflows; returns the position of the next. */
  wakeWaiting(advance: ClockAdvance, after: WakePosition | null): Promise<WakeStep>;
  /** Returns a moment after the end of each skipped week, oldest first. */
  skippedWeeks(advance: ClockAdvance): Promise<number[]>;
  /** Writes one chunk of the reports of the last week that was over at `asOfMs`, by the sandbox's clock; null after the last, or if the clock was reset. */
  writeSkippedWeek(advance: ClockAdvance, asOfMs: number, after: ReportPosition | null): Promise<ReportPosition | null>;
}

/** Returns the activities of an advanced clock. */
export function createClockAdvanceActivities(domain: Domain): ClockAdvanceActivities {
  const { sql } = domain.database;
  const timeOf = ({ institutionId }: ClockAdvance): Promise<Date> => activityNow(sql, institutionId, 0);
  return {
    wakeWaiting: async (advance, after) => transact(domain, { institutionId: advance.institutionId, now: await timeOf(advance) }, (tx) => wakeWaiting(tx, advance, after)),
    skippedWeeks: async (advance) => skippedWeekEnds(await readTimeZone(institutionScope(domain.database, advance.institutionId)), advance),
    writeSkippedWeek: async (advance, asOfMs, after) => {
      const now = await timeOf(advance);
      if (now.getTime() < asOfMs) return null;
      return (await transact(domain, { institutionId: advance.institutionId, now }, (tx) => writeWeeklyReports(tx, new Date(asOfMs), after))).next;
    },
  };
}
