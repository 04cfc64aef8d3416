import { Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy, type CalendarSpecDescription, type ScheduleDescription } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import { schedules, type ScheduleDefinition } from '../../workflows/contract';

/** Runs missed for longer than this are skipped. */
const catchupWindowMs = 86_400_000;

function scheduleOptions({ workflowType, calendar, summary, scheduleId }: ScheduleDefinition, taskQueue: string) {
  return {
    spec: { calendars: [{ ...calendar, second: 0 }], timezone: 'UTC' },
    action: { type: 'startWorkflow' as const, workflowType, workflowId: scheduleId, taskQueue, args: [], staticSummary: summary },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: catchupWindowMs },
  };
}

/** Whether a calendar contains only this day, or every day of the week. */
function runsOnDay(at: CalendarSpecDescription | undefined, day: ScheduleDefinition['calendar']['dayOfWeek']): boolean {
  const [days, ...others] = at?.dayOfWeek ?? [];
  const wholeWeek = days?.start === 'SUNDAY' && days.end === 'SATURDAY';
  return others.length === 0 && (day === undefined ? wholeWeek : days?.start === day && days.end === day);
}

function isUpToDate({ spec, action, policies }: ScheduleDescription, { workflowType, calendar }: ScheduleDefinition, taskQueue: string): boolean {
  const [at, ...others] = spec.calendars ?? [];
  const startsAt = (field: 'hour' | 'minute'): boolean => at?.[field].length === 1 && at[field][0]?.start === calendar[field];
  return (
    others.length === 0 &&
    startsAt('hour') &&
    startsAt('minute') &&
    runsOnDay(at, calendar.dayOfWeek) &&
    action.workflowType === workflowType &&
    action.taskQueue === taskQueue &&
    policies.overlap === ScheduleOverlapPolicy.SKIP &&
    policies.catchupWindow === catchupWindowMs
  );
}

/** Creates missing Schedules of the contract in the namespace and updates those that differ. A paused Schedule stays paused. */
export async function ensureSchedules(connection: NativeConnection, namespace: string, taskQueue: string): Promise<void> {
  const client = new Client({ connection, namespace });
  for (const scheduled of schedules) {
    const { scheduleId } = scheduled;
    try {
      await client.schedule.create({ scheduleId, ...scheduleOptions(scheduled, taskQueue) });
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      const schedule = client.schedule.getHandle(scheduleId);
      if (isUpToDate(await schedule.describe(), scheduled, taskQueue)) continue;
      await schedule.update(({ state }) => ({ ...scheduleOptions(scheduled, taskQueue), state }));
    }
  }
}
