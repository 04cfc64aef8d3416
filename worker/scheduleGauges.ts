import type { Registry } from 'prom-client';
import type { Logger } from '../config/logger';
import type { RepeatingTask } from '../lib/repeatingTask';
import { readScheduleStates, type ScheduleState } from '../outbound/temporal/scheduleStates';
import type { TemporalConnection } from '../outbound/temporal/engine';
import { startTemporalGauges } from './temporalGauges';

const gauges: readonly { name: string; help: string; value: (state: ScheduleState) => number }[] = [
  { name: 'schedule_late_seconds', help: 'Seconds since the latest run that should have begun and has not; 0 without one.', value: ({ lateSeconds }) => lateSeconds },
  { name: 'schedule_missed_runs', help: 'Runs left out because Temporal could not begin them within a day.', value: ({ missedRuns }) => missedRuns },
  { name: 'schedule_skipped_runs', help: 'Runs left out because the one before had not ended.', value: ({ skippedRuns }) => skippedRuns },
  { name: 'schedule_last_run_failed', help: '1 if the latest run that ended has failed.', value: ({ lastRunFailed }) => (lastRunFailed ? 1 : 0) },
];

interface ScheduleParts {
  temporal: TemporalConnection;
  /** Makes search attributes and Schedules again, as far as it may and can now; returns the names of those that it made. */
  restore: () => Promise<string[]>;
  registry: Registry;
  logger: Logger;
  everyMs?: number | undefined;
}

/**
 * Looks at the Schedules once a minute, and adds gauges of them to the registry, which are absent while Temporal does not respond. Where
 * one is missing, because Temporal lost its data, all that workers need there is made again.
 */
export function startScheduleGauges({ temporal, restore, ...parts }: ScheduleParts): RepeatingTask {
  return startTemporalGauges<ScheduleState, 'schedule'>({
    ...parts,
    gauges,
    labelNames: ['schedule'],
    labels: ({ scheduleId }) => ({ schedule: scheduleId }),
    what: 'the schedules',
    look: async (show) => {
      const { states, missing } = await readScheduleStates(temporal, new Date());
      show(states);
      const made = missing.length === 0 ? [] : await restore();
      if (made.length > 0) parts.logger.warn({ made }, 'temporal lacked schedules, and they were made');
    },
  });
}
