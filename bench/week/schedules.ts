import type { Client } from '@temporalio/client';
import { waitUntil } from '../../local/waitUntil';
import type { TemporalConnection } from '../../outbound/temporal/engine';
import { schedules, type ScheduleDefinition } from '../../workflows/contract';
import type { HousekeepingProgress } from '../../workflows/housekeeping';
import type { SweepProgress } from '../../workflows/licenseExpirySweep';
import type { RetentionProgress } from '../../workflows/retentionPass';
import type { AsOf } from '../../workflows/weeklyGuardianReport';
import { formatDay, scheduledRunTime, type SimulatedDay } from './calendar';

type ScheduledType = (typeof schedules)[number]['workflowType'];

/** The result of a workflow. */
export type Result = Readonly<Record<string, number>>;

const retention = (nowMs: number): RetentionProgress => ({ nowMs, afterId: '', unfinished: null, institutions: 0, failed: [], removed: 0, kept: 0 });

/** How each type receives its time: as progress of a new pass, in the form in which a run passes it to the next. */
const startArguments: Record<ScheduledType, (nowMs: number) => object> = {
  licenseExpirySweep: (nowMs): SweepProgress => ({ nowMs, afterId: '', expired: 0, institutions: 0, failed: [] }),
  eventRetention: retention,
  deliveryRetention: retention,
  institutionRetention: retention,
  housekeeping: (nowMs): HousekeepingProgress => ({ nowMs, removed: {}, done: [] }),
  weeklyGuardianReport: (nowMs): AsOf => ({ nowMs }),
};

const resultTimeoutMs = 120_000;

/** Runs the workflows of a day's Schedules with the day's time, and waits for them; returns the result of each. */
export async function runSchedules(day: SimulatedDay, { client, taskQueue }: TemporalConnection): Promise<Partial<Record<ScheduledType, Result>>> {
  const results: Partial<Record<ScheduledType, Result>> = {};
  await Promise.all(
    schedules.map(async (scheduled) => {
      const now = scheduledRunTime(day, scheduled);
      if (now === undefined) return;
      const { scheduleId, workflowType, summary } = scheduled;
      const handle = await client.workflow.start(workflowType, {
        workflowId: `${scheduleId}-of-${formatDay(day)}`, taskQueue, args: [startArguments[workflowType](now.getTime())], staticSummary: summary, workflowExecutionTimeout: resultTimeoutMs,
      });
      results[workflowType] = (await handle.result()) as Result;
    }),
  );
  return results;
}

/** Pauses the Schedules, so that they do not run by the machine's clock; a worker that has just started creates them first. */
export async function pauseSchedules({ client }: TemporalConnection): Promise<void> {
  for (const { scheduleId } of schedules) {
    await waitUntil({ what: scheduleId, withinMs: resultTimeoutMs, check: () => client.schedule.getHandle(scheduleId).pause('A week is simulated') });
  }
}

async function lastRunId(client: Client, { scheduleId }: ScheduleDefinition): Promise<string> {
  const { info } = await client.schedule.getHandle(scheduleId).describe();
  const workflowId = info.recentActions.at(-1)?.action.workflow.workflowId;
  if (workflowId === undefined) throw new Error('The Schedule has started no workflow');
  return workflowId;
}

/** Triggers every Schedule at the present time, and waits for its run; returns the result of each. */
export async function triggerSchedules({ client }: TemporalConnection): Promise<Partial<Record<ScheduledType, Result>>> {
  const results: Partial<Record<ScheduledType, Result>> = {};
  await Promise.all(
    schedules.map(async (scheduled) => {
      await client.schedule.getHandle(scheduled.scheduleId).trigger();
      let workflowId = '';
      await waitUntil({
        what: `the run of ${scheduled.scheduleId}`,
        withinMs: resultTimeoutMs,
        check: async () => {
          workflowId = await lastRunId(client, scheduled);
        },
      });
      results[scheduled.workflowType] = (await client.workflow.getHandle(workflowId).result()) as Result;
    }),
  );
  return results;
}
