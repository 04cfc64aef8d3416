import Joi from 'joi';
import { commaList } from '../lib/commaList';

const workerQueues = ['workflows', 'attempts', 'emails'] as const;

/** What a worker process may serve: workflows with the activities that have no queue of their own, attempts of deliveries, or emails. */
export type WorkerQueue = (typeof workerQueues)[number];

/** How much of a task queue a process works on at once. */
export interface QueueCapacity {
  slots: number;
  /** Calls that wait for a task. */
  pollers: number;
}

/** What a worker process serves, and how much of it at once. */
export interface WorkerSlots {
  queues: ReadonlySet<WorkerQueue>;
  /** Workflow tasks; `cached` workflows stay in memory between two of them. */
  workflows: QueueCapacity & { cached: number };
  activities: QueueCapacity;
  attempts: QueueCapacity;
  emails: QueueCapacity;
  archives: { slots: number };
  erasures: { slots: number };
}

const isWorkerQueue = (name: string): name is WorkerQueue => workerQueues.some((queue) => queue === name);

function parseQueues(value: string): ReadonlySet<WorkerQueue> {
  const names = commaList(value);
  const queues = names.filter(isWorkerQueue);
  if (queues.length === 0 || queues.length < names.length) throw new Error(`WORKER_QUEUES must be a comma list of ${workerQueues.join(', ')}`);
  return new Set(queues);
}

const upTo = (max: number, min = 1): Joi.NumberSchema => Joi.number().integer().min(min).max(max);

/** The variables of worker slots. The defaults fit two cores. */
export const workerSlotVariables = {
  WORKER_QUEUES: Joi.string().default(workerQueues.join(',')),
  // Temporal's SDK needs two of each for new workflows and for cached ones.
  WORKER_WORKFLOW_SLOTS: upTo(1_000, 2).default(40),
  WORKER_WORKFLOW_POLLERS: upTo(100, 2).default(10),
  WORKER_CACHED_WORKFLOWS: upTo(100_000, 2).default(500),
  WORKER_ACTIVITY_SLOTS: upTo(1_000).default(100),
  WORKER_ACTIVITY_POLLERS: upTo(100).default(10),
  WORKER_ATTEMPT_SLOTS: upTo(10_000).default(512),
  WORKER_ATTEMPT_POLLERS: upTo(100).default(10),
  WORKER_EMAIL_SLOTS: upTo(1_000).default(100),
  WORKER_EMAIL_POLLERS: upTo(100).default(10),
  WORKER_ARCHIVE_SLOTS: upTo(100).default(4),
  WORKER_ERASURE_SLOTS: upTo(1_000).default(16),
};

type WorkerSlotVariable = keyof typeof workerSlotVariables;

/** Returns what a worker process serves; `numberOf` returns the value of a variable with a number. */
export function parseWorkerSlots(queues: string, numberOf: (name: Exclude<WorkerSlotVariable, 'WORKER_QUEUES'>) => number): WorkerSlots {
  return {
    queues: parseQueues(queues),
    workflows: { slots: numberOf('WORKER_WORKFLOW_SLOTS'), pollers: numberOf('WORKER_WORKFLOW_POLLERS'), cached: numberOf('WORKER_CACHED_WORKFLOWS') },
    activities: { slots: numberOf('WORKER_ACTIVITY_SLOTS'), pollers: numberOf('WORKER_ACTIVITY_POLLERS') },
    attempts: { slots: numberOf('WORKER_ATTEMPT_SLOTS'), pollers: numberOf('WORKER_ATTEMPT_POLLERS') },
    emails: { slots: numberOf('WORKER_EMAIL_SLOTS'), pollers: numberOf('WORKER_EMAIL_POLLERS') },
    archives: { slots: numberOf('WORKER_ARCHIVE_SLOTS') },
    erasures: { slots: numberOf('WORKER_ERASURE_SLOTS') },
  };
}
