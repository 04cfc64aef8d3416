import { ScheduleAlreadyRunning, ScheduleNotFoundError, ScheduleOverlapPolicy, type CalendarSpecDescription, type Client, type ScheduleDescription } from '@temporalio/client';
import type { ScheduleDefinition } from '../../workflows/contract';
import { isRefused, undefinedIfRefused } from './grpcCode';
import type { NamespacePartOutcome } from './namespaceParts';

/** Runs missed for longer than this are skipped. */
export const catchupWindowMs = 86_400_000;

/** The version of the definitions: each change of one raises it, so that workers of the release before leave the new ones alone. */
export const schedulesVersion = 1;
/** Where a Schedule says which version wrote it: its own memo cannot be changed, that of what it starts can. */
const versionField = 'schedulesVersion';

function scheduleOptions({ workflowType, calendar, summary, scheduleId }: ScheduleDefinition, taskQueue: string) {
  return {
    spec: { calendars: [{ ...calendar, second: 0 }], timezone: 'UTC' },
    action: { type: 'startWorkflow' as const, workflowType, workflowId: scheduleId, taskQueue, args: [], staticSummary: summary, memo: { [versionField]: schedulesVersion } },
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

/** Returns the version of the definitions that a Schedule was last written by; 0 for one of 0.13.0 and earlier, or made by hand. */
function writtenVersion({ action }: ScheduleDescription): number {
  const version = action.memo?.[versionField];
  return typeof version === 'number' ? version : 0;
}

/** Returns undefined for a Schedule that is not there. */
async function describe(client: Client, scheduleId: string): Promise<ScheduleDescription | undefined> {
  try {
    return await client.schedule.getHandle(scheduleId).describe();
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return undefined;
    throw error;
  }
}

/** A newer release has written a Schedule between the look at it and its update. */
class WrittenByNewer extends Error {}

/**
 * Creates a Schedule of the contract if it is missing, and updates one that differs, unless a newer release wrote it. A paused
 * Schedule stays paused. Where Temporal refuses to make it, the outcome says what is to be done.
 */
export async function ensureSchedule(client: Client, scheduled: ScheduleDefinition, taskQueue: string): Promise<NamespacePartOutcome> {
  const found = await describe(client, scheduled.scheduleId).catch(undefinedIfRefused);
  if (found !== undefined && isUpToDate(found, scheduled, taskQueue)) return 'present';
  if (found !== undefined && writtenVersion(found) > schedulesVersion) return 'newer';
  try {
    if (found !== undefined) {
      await client.schedule.getHandle(scheduled.scheduleId).update((current) => {
        if (writtenVersion(current) > schedulesVersion) throw new WrittenByNewer();
        return { ...scheduleOptions(scheduled, taskQueue), state: current.state };
      });
      return 'updated';
    }
    await client.schedule.create({ scheduleId: scheduled.scheduleId, ...scheduleOptions(scheduled, taskQueue) });
    return 'made';
  } catch (error) {
    if (error instanceof WrittenByNewer) return 'newer';
    // Another process has made it meanwhile, or it was not to be seen.
    if (error instanceof ScheduleAlreadyRunning) return 'present';
    if (!isRefused(error)) throw error;
    return found === undefined ? 'missing' : 'outdated';
  }
}
