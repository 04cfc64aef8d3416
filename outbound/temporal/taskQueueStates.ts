import { optionalTsToMs } from '@temporalio/common/lib/time';
import { temporal } from '@temporalio/proto';
import { archivesQueue, emailsQueue, erasuresQueue, webhooksQueue } from '../../workflows/contract';
import type { TemporalConnection } from './engine';
import { isNotFound } from './grpcCode';
import { recentPollers, type Poller } from './pollers';

const { TaskQueueType, WorkerDeploymentVersionStatus: Status } = temporal.api.enums.v1;
type TaskType = temporal.api.enums.v1.TaskQueueType;

/** What waits in a task queue, and who takes it. */
export interface TaskQueueState {
  taskQueue: string;
  taskType: 'workflow' | 'activity';
  /** Null for all tasks of the queue; a version for those of its own workflows, which no other may take. */
  buildId: string | null;
  /** About how many tasks wait. */
  tasks: number;
  /** About how long the oldest has waited, in seconds. */
  ageSeconds: number;
  /** Processes that poll for these tasks; without a build id, with the version that the queue's tasks go to now. */
  pollers: number;
}

/** Timeout of one look at all task queues, in ms. */
const readWithinMs = 5_000;

/** Returns the task queues of the service, by the name of the first. */
export const taskQueuesOf = (taskQueue: string): string[] =>
  [taskQueue, webhooksQueue(taskQueue), emailsQueue(taskQueue), archivesQueue(taskQueue), erasuresQueue(taskQueue)];

const waiting = (stats: temporal.api.taskqueue.v1.ITaskQueueStats | null | undefined): Pick<TaskQueueState, 'tasks' | 'ageSeconds'> => ({
  tasks: Number(stats?.approximateBacklogCount?.toString() ?? 0),
  ageSeconds: (optionalTsToMs(stats?.approximateBacklogAge) ?? 0) / 1_000,
});

/** Returns what waits in each task queue of the service, and who polls it at `now`, in ms; rejects while Temporal does not respond. */
export function readTaskQueues({ client, taskQueue: first, withDeadline }: TemporalConnection, deploymentName: string | null, now: number): Promise<TaskQueueState[]> {
  const { workflowService, options: { namespace } } = client;

  const readQueue = async (name: string, taskQueueType: TaskType): Promise<{ state: TaskQueueState; polling: Poller[] }> => {
    const { stats, pollers, versioningInfo } = await workflowService.describeTaskQueue({ namespace, taskQueue: { name }, taskQueueType, reportStats: true });
    const polling = recentPollers(pollers, now);
    const current = versioningInfo?.currentDeploymentVersion ?? null;
    const serves = ({ version }: Poller): boolean => version?.buildId === current?.buildId && version?.deploymentName === current?.deploymentName;
    return { polling, state: { taskQueue: name, taskType: typeName(taskQueueType), buildId: null, ...waiting(stats), pollers: polling.filter(serves).length } };
  };

  /** The versions that may have workflows of their own, without the current one. */
  const versionsBesides = async (): Promise<string[]> => {
    if (deploymentName === null) return [];
    const described = await workflowService.describeWorkerDeployment({ namespace, deploymentName }).catch(undefinedIfNotFound);
    const found = (described?.workerDeploymentInfo?.versionSummaries ?? []).filter(({ status }) => besides.has(status ?? 0));
    return found.flatMap(({ deploymentVersion }) => deploymentVersion?.buildId ?? []);
  };

  const readVersion = async (buildId: string, queues: readonly { state: TaskQueueState; polling: readonly Poller[] }[]): Promise<TaskQueueState[]> => {
    const described = await workflowService.describeWorkerDeploymentVersion({ namespace, deploymentVersion: { deploymentName, buildId }, reportTaskQueueStats: true }).catch(undefinedIfNotFound);
    return (described?.versionTaskQueues ?? []).flatMap(({ name, type, stats }) => {
      const queue = queues.find(({ state }) => state.taskQueue === name && state.taskType === typeName(type));
      if (queue === undefined) return [];
      const pollers = queue.polling.filter(({ version }) => version !== null && version.deploymentName === deploymentName && version.buildId === buildId).length;
      return [{ taskQueue: queue.state.taskQueue, taskType: queue.state.taskType, buildId, ...waiting(stats), pollers }];
    });
  };

  return withDeadline(readWithinMs, async () => {
    const [workflows, activities] = [TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW, TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY];
    const queues = await Promise.all([readQueue(first, workflows), ...taskQueuesOf(first).map((name) => readQueue(name, activities))]);
    const versions = await Promise.all((await versionsBesides()).map((buildId) => readVersion(buildId, queues)));
    return [...queues.map(({ state }) => state), ...versions.flat()];
  });
}

const besides: ReadonlySet<number> = new Set([Status.WORKER_DEPLOYMENT_VERSION_STATUS_RAMPING, Status.WORKER_DEPLOYMENT_VERSION_STATUS_DRAINING]);

const typeName = (type: TaskType | null | undefined): TaskQueueState['taskType'] => (type === TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW ? 'workflow' : 'activity');

function undefinedIfNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
