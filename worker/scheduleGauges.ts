import { Gauge, type Registry } from 'prom-client';
import type { Logger } from '../config/logger';
import { startRepeatingTask, type RepeatingTask } from '../lib/repeatingTask';
import { readScheduleStates, type ScheduleState } from '../outbound/temporal/scheduleStates';
import type { TemporalConnection } from '../outbound/temporal/engine';

/** Interval between two looks at the Schedules, in ms. */
const schedulesEveryMs = 60_000;

const gauges: readonly { name: string; help: string; value: (state: ScheduleState) => number }[] = [
  { name: 'schedule_late_seconds', help: 'Seconds since the latest run that should have begun and has not; 0 without one.', value: ({ lateSeconds }) => lateSeconds },
  { name: 'schedule_missed_runs', help: 'Runs left out because Temporal could not begin them within a day.', value: ({ missedRuns }) => missedRuns },
  { name: 'schedule_skipped_runs', help: 'Runs left out because the one before had not ended.', value: ({ skippedRuns }) => skippedRuns },
  { name: 'schedule_last_run_failed', help: '1 if the latest run that ended has failed.', value: ({ lastRunFailed }) => (lastRunFailed ? 1 : 0) },
];

interface ScheduleParts {
  temporal: TemporalConnection;
  /** Makes search attributes and Schedules again; `false` if it could not yet. */
  restore: () => Promise<boolean>;
  registry: Registry;
  logger: Logger;
  everyMs?: number | undefined;
}

/**
 * Looks at the Schedules once a minute, and adds gauges of them to the registry, which are absent while Temporal does not respond. Where
 * one is missing, because Temporal lost its data, all that workers need there is made again.
 */
export function startScheduleGauges({ temporal, restore, registry, logger, everyMs = schedulesEveryMs }: ScheduleParts): RepeatingTask {
  const added = gauges.map(({ name, help, value }) => ({ value, gauge: new Gauge({ name, help, labelNames: ['schedule'], registers: [registry] }) }));
  let unread = false;
  return startRepeatingTask(
    async () => {
      const { states, missing } = await readScheduleStates(temporal, new Date());
      unread = false;
      for (const { gauge, value } of added) {
        gauge.reset();
        for (const state of states) gauge.set({ schedule: state.scheduleId }, value(state));
      }
      if (missing.length > 0 && (await restore())) logger.warn({ missing }, 'schedules were missing in temporal and were made again');
    },
    {
      everyMs,
      onError: (error) => {
        for (const { gauge } of added) gauge.reset();
        if (!unread) logger.warn({ err: error }, 'the schedules cannot be read');
        unread = true;
      },
    },
  );
}
