import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { WorkerOptions } from '@temporalio/worker';
import type { Settings } from '../config/settings';
import type { QueueCapacity, WorkerQueue } from '../config/workerSlots';
import { archivesQueue, emailsQueue, erasuresQueue, webhooksQueue } from '../workflows/contract';
import { limitPerInstitution } from './institutionConcurrency';

/** More activities than slots for attempts, so that one without a free slot learns so immediately. */
const activitiesPerAttemptSlot = 1.25;
/** Archives and erasures are few. */
const pollersOfLongQueues = 2;

/** What distinguishes the worker of one task queue. */
type QueueWorker = Pick<WorkerOptions, 'taskQueue' | 'workflowBundle' | 'workflowsPath' | 'maxCachedWorkflows' | 'maxConcurrentWorkflowTaskExecutions' | 'maxConcurrentWorkflowTaskPolls' | 'maxConcurrentActivityTaskExecutions' | 'maxConcurrentActivityTaskPolls' | 'interceptors' | 'workerDeploymentOptions'>;

/** Returns the workflow bundle of the build, or else the source of the workflows; those of workers with a version say where they continue. */
function workflowCode(isVersioned: boolean): Pick<QueueWorker, 'workflowBundle' | 'workflowsPath' | 'interceptors'> {
  const bundle = process.env.WORKFLOW_BUNDLE_PATH ?? join(__dirname, '..', 'workflowBundle.js');
  const codePath = isVersioned ? join(dirname(bundle), 'versionedWorkflowBundle.js') : bundle;
  if (existsSync(codePath)) return { workflowBundle: { codePath } };
  return {
    workflowsPath: isVersioned ? require.resolve('../workflows/versioned') : require.resolve('../workflows'),
    interceptors: { workflowModules: [require.resolve('../workflows/traceContext')] },
  };
}

const activities = ({ slots, pollers }: QueueCapacity): Pick<QueueWorker, 'maxConcurrentActivityTaskExecutions' | 'maxConcurrentActivityTaskPolls'> => ({
  maxConcurrentActivityTaskExecutions: slots,
  maxConcurrentActivityTaskPolls: Math.min(pollers, slots),
});

/**
 * Returns the options of the worker of each task queue that the process serves. Emails, attempts of deliveries, archives and
 * erasures have separate queues and workers: while the mail server or receivers hang, or a school asks for hundreds, they occupy
 * slots for long, and must not delay other activities.
 */
export function queueWorkers({ taskQueue, workerSlots, workerDeployment }: Pick<Settings, 'taskQueue' | 'workerSlots' | 'workerDeployment'>): QueueWorker[] {
  const { queues, workflows, attempts, emails, archives, erasures } = workerSlots;
  const workers: Record<WorkerQueue, () => QueueWorker[]> = {
    workflows: () => [
      {
        taskQueue,
        ...workflowCode(workerDeployment !== null),
        maxCachedWorkflows: workflows.cached,
        maxConcurrentWorkflowTaskExecutions: workflows.slots,
        maxConcurrentWorkflowTaskPolls: Math.min(workflows.pollers, workflows.slots),
        ...activities(workerSlots.activities),
      },
      { taskQueue: archivesQueue(taskQueue), ...activities({ ...archives, pollers: pollersOfLongQueues }), interceptors: { activity: [limitPerInstitution('archives')] } },
      { taskQueue: erasuresQueue(taskQueue), ...activities({ ...erasures, pollers: pollersOfLongQueues }), interceptors: { activity: [limitPerInstitution('erasures')] } },
    ],
    attempts: () => [{ taskQueue: webhooksQueue(taskQueue), ...activities({ ...attempts, slots: Math.ceil(attempts.slots * activitiesPerAttemptSlot) }) }],
    emails: () => [{ taskQueue: emailsQueue(taskQueue), ...activities(emails), interceptors: { activity: [limitPerInstitution('emails')] } }],
  };
  const version: Pick<QueueWorker, 'workerDeploymentOptions'> = workerDeployment === null
    ? {}
    : { workerDeploymentOptions: { version: workerDeployment, useWorkerVersioning: true, defaultVersioningBehavior: 'AUTO_UPGRADE' } };
  return [...queues].flatMap((queue) => workers[queue]()).map((worker) => ({ ...worker, ...version }));
}
