import { ScheduleNotFoundError, WorkflowNotFoundError, type ScheduleDescription } from '@temporalio/client';
import { schedules, type ScheduleDefinition } from '../../workflows/contract';
import type { TemporalConnection } from './engine';

/** How a Schedule runs. */
export interface ScheduleState {
  scheduleId: string;
  /** Seconds since the latest run that should have begun and has not; 0 without one, and where the one before had not ended by then: it was skipped. */
  lateSeconds: number;
  /** Runs that Temporal left out because it could not begin them within their catch-up window, ever. */
  missedRuns: number;
  /** Runs that were left out because the one before had not ended, ever. */
  skippedRuns: number;
  /** Whether the latest run that ended has failed. */
  lastRunFailed: boolean;
}

/** Timeout of one look at Temporal, in ms. */
const readWithinMs = 2_000;
const dayMs = 86_400_000;
const mondayOfDate = 1;

/** Returns when a Schedule was due last, at `now` or before. */
export function lastDueAt({ dayOfWeek, hour, minute }: ScheduleDefinition['calendar'], now: Date): Date {
  const due = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), hour, minute));
  const isDue = (): boolean => due <= now && (dayOfWeek === undefined || due.getUTCDay() === mondayOfDate);
  while (!isDue()) due.setTime(due.getTime() - dayMs);
  return due;
}

const failedStatuses: ReadonlySet<string> = new Set(['FAILED', 'TIMED_OUT', 'TERMINATED', 'CANCELLED']);

/** What Temporal knows of the runs of a Schedule. */
interface KnownRuns {
  /** When each was due, and when the Schedule was made and changed: it does not catch up with what was due before. */
  begun: readonly Date[];
  isRunning: boolean;
  /** When the latest one that has ended did. */
  endedAt: Date | undefined;
}

/** Returns for how many seconds the run that was due last has been late at `now`: 0 if it has begun, or was skipped because the one before had not ended. */
export function lateSecondsAt(now: Date, due: Date, { begun, isRunning, endedAt }: KnownRuns): number {
  const isSkipped = isRunning || (endedAt !== undefined && endedAt >= due);
  return isSkipped || begun.some((at) => at >= due) ? 0 : (now.getTime() - due.getTime()) / 1_000;
}

/** Returns when the latest run that has ended did, and whether it has failed; undefined of runs that are no longer kept. */
async function readLastEnded(temporal: TemporalConnection, { info }: ScheduleDescription): Promise<{ endedAt: Date | undefined; hasFailed: boolean } | undefined> {
  for (const { action } of [...info.recentActions].reverse()) {
    const { workflowId, firstExecutionRunId } = action.workflow;
    const handle = temporal.client.workflow.getHandle(workflowId, undefined, { firstExecutionRunId });
    const found = await temporal.withDeadline(readWithinMs, () => handle.describe()).catch(undefinedIfNotFound);
    if (found !== undefined && found.status.name !== 'RUNNING') return { endedAt: found.closeTime, hasFailed: failedStatuses.has(found.status.name) };
  }
  return undefined;
}

function undefinedIfNotFound(error: unknown): undefined {
  if (error instanceof WorkflowNotFoundError || error instanceof ScheduleNotFoundError) return undefined;
  throw error;
}

async function readState(temporal: TemporalConnection, { scheduleId, calendar }: ScheduleDefinition, now: Date): Promise<ScheduleState | undefined> {
  const found = await temporal.withDeadline(readWithinMs, () => temporal.client.schedule.getHandle(scheduleId).describe()).catch(undefinedIfNotFound);
  if (found === undefined) return undefined;
  const { info } = found;
  const ended = await readLastEnded(temporal, found);
  const begun = [...info.recentActions.map(({ scheduledAt }) => scheduledAt), info.createdAt, ...(info.lastUpdatedAt === undefined ? [] : [info.lastUpdatedAt])];
  return {
    scheduleId,
    lateSeconds: lateSecondsAt(now, lastDueAt(calendar, now), { begun, isRunning: info.runningActions.length > 0, endedAt: ended?.endedAt }),
    missedRuns: info.numActionsMissedCatchupWindow,
    skippedRuns: info.numActionsSkippedOverlap,
    lastRunFailed: ended?.hasFailed ?? false,
  };
}

/** Returns how each Schedule runs, and which are missing in the namespace; rejects while Temporal does not respond. */
export async function readScheduleStates(temporal: TemporalConnection, now: Date): Promise<{ states: ScheduleState[]; missing: string[] }> {
  const read = await Promise.all(schedules.map(async (schedule) => ({ schedule, state: await readState(temporal, schedule, now) })));
  return {
    states: read.flatMap(({ state }) => (state === undefined ? [] : [state])),
    missing: read.flatMap(({ schedule, state }) => (state === undefined ? [schedule.scheduleId] : [])),
  };
}
