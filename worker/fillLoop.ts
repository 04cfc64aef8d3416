import type { Logger } from '../config/logger';
import { listOpenFills } from '../db/repositories/fills/rowFills';
import type { Domain } from '../domain/context';
import { startRepeatingTask, type RepeatingTask } from '../lib/repeatingTask';
import type { TemporalConnection } from '../outbound/temporal/engine';
import { fillStart, fillWorkflowId, priorities } from '../workflows/contract';

/** Interval between two looks for open fills, in ms. */
const fillsEveryMs = 60_000;
/** How long a call to Temporal may take, in ms. */
const startWithinMs = 5_000;

/** Starts the workflow of each fill that has not ended, unless it runs: after a migration, and when Temporal has lost it. */
export function startFillLoop({ database: { sql } }: Pick<Domain, 'database'>, temporal: TemporalConnection, logger: Logger, everyMs = fillsEveryMs): RepeatingTask {
  const start = async (name: string): Promise<void> => {
    const argument = { name };
    await temporal.withDeadline(startWithinMs, () =>
      temporal.client.workflow.start('rowFill', {
        workflowId: fillWorkflowId(name),
        taskQueue: temporal.taskQueue,
        args: [argument],
        staticSummary: fillStart.summary(argument),
        typedSearchAttributes: fillStart.searchAttributes(),
        priority: { priorityKey: priorities.sweep },
        workflowIdConflictPolicy: 'USE_EXISTING',
      }));
  };
  return startRepeatingTask(
    async () => {
      for (const name of await listOpenFills(sql)) await start(name);
    },
    { everyMs, onError: (error) => logger.warn({ err: error }, 'fills could not be started') },
  );
}
