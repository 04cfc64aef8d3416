import type { Registry } from 'prom-client';
import type { Logger } from '../config/logger';
import type { RepeatingTask } from '../lib/repeatingTask';
import type { TemporalConnection } from '../outbound/temporal/engine';
import { readTaskQueues, type TaskQueueState } from '../outbound/temporal/taskQueueStates';
import { startTemporalGauges } from './temporalGauges';

const gauges: readonly { name: string; help: string; value: (state: TaskQueueState) => number }[] = [
  { name: 'task_queue_backlog_tasks', help: 'About how many tasks wait in Temporal for a worker.', value: ({ tasks }) => tasks },
  { name: 'task_queue_backlog_age_seconds', help: 'About how long the oldest task has waited in Temporal for a worker; 0 without one.', value: ({ ageSeconds }) => ageSeconds },
  { name: 'task_queue_pollers', help: 'Processes that poll for these tasks; without a build id, with the version that they go to.', value: ({ pollers }) => pollers },
];

interface TaskQueueParts {
  temporal: TemporalConnection;
  /** Null without worker versions. */
  deploymentName: string | null;
  registry: Registry;
  logger: Logger;
  everyMs?: number | undefined;
}

/**
 * Looks at the task queues once a minute, and adds gauges of them to the registry, which are absent while Temporal does not respond. Each
 * worker has those of all queues: of a queue that nobody polls there is no worker that could have them.
 */
export function startTaskQueueGauges({ temporal, deploymentName, ...parts }: TaskQueueParts): RepeatingTask {
  return startTemporalGauges<TaskQueueState, 'task_queue' | 'task_type' | 'build_id'>({
    ...parts,
    gauges,
    labelNames: ['task_queue', 'task_type', 'build_id'],
    labels: ({ taskQueue, taskType, buildId }) => ({ task_queue: taskQueue, task_type: taskType, build_id: buildId ?? '' }),
    what: 'the task queues',
    look: async (show) => show(await readTaskQueues(temporal, deploymentName, Date.now())),
  });
}
