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

/** What a workflow says it has done. */
export type Result = Readonly<Record<string, number>>;

const retention = (nowMs: number): RetentionProgress => ({ nowMs, afterId: '', unfinished: null, institutions: 0, failed: [], removed: 0, kept: 0 });

/** How each type is handed the time that it is to go by: from its beginning, as a run hands it to the one after it. */
const startArguments: Record<ScheduledType, (nowMs: number) => object> = {
  licenseExpirySweep: (nowMs): SweepProgress => ({ nowMs, afterId: '', expired: 0, institutions: 0, failed: [] }),
  eventRetention: retention,
  deliveryRetention: retention,
  housekeeping: (nowMs): HousekeepingProgress => ({ nowMs, removed: {}, done: [] }),
  weeklyGuardianReport: (nowMs): AsOf => ({ nowMs }),
};

const resultTimeoutMs = 120_000;

/** Runs what the Schedules of a day would run, with the day's time handed in, and waits for it; answers what each has done. */
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

/** Keeps the Schedules from running by the machine's clock meanwhile; a worker that has just started makes them first. */
export async function pauseSchedules({ client }: TemporalConnection): Promise<void> {
  for (const { scheduleId } of schedules) {
    await waitUntil({ what: scheduleId, withinMs: resultTimeoutMs, check: () => client.schedule.getHandle(scheduleId).pause('A week is played') });
  }
}

async function lastRunId(client: Client, { scheduleId }: ScheduleDefinition): Promise<string> {
  const { info } = await client.schedule.getHandle(scheduleId).describe();
  const workflowId = info.recentActions.at(-1)?.action.workflow.workflowId;
  if (workflowId === undefined) throw new Error('It has run nothing');
  return workflowId;
}

/** Has every Schedule run what it runs, at the time it is, and waits for it; answers what each has done. */
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
