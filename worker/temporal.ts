import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { Logger } from '../config/logger';
import type { Settings } from '../config/settings';
import { abortGraceMs } from '../config/shutdown';
import { settlesWithin } from '../lib/timeout';
import { ensureSchedules } from '../outbound/temporal/schedules';
import { registerSearchAttributes } from '../outbound/temporal/searchAttributes';
import { emailsQueue, webhooksQueue } from '../workflows/contract';
import { limitEmailsPerInstitution } from './emailConcurrency';
import { installRuntimeLogger } from './runtimeLogger';
import { createActivities, type ActivityDeps } from '../activities';

const reconnectAfterMs = 2_000;
/** How long Temporal may take to say that it is there, in ms. */
const responseTimeoutMs = 1_000;
/** How many activities the worker of a queue has under way. */
const maxConcurrentActivities = 100;
/** The one that attempts deliveries: more than there are places for attempts, so that what finds none is never kept waiting to be told so. */
const maxConcurrentAttempts = 640;

/** The Temporal workers of this process, kept running while Temporal comes and goes. */
export interface TemporalWorkers {
  /** Resolves when they poll Temporal at this moment, else rejects. */
  checkPolling(): Promise<void>;
  /** Takes no new tasks and lets the present ones end within the shutdown timeout; gives up what has not ended soon after it. */
  stop(): Promise<void>;
}

/** Workflows as they were bundled when the program was built, else from their source. */
function workflowCode(): { workflowBundle: { codePath: string } } | { workflowsPath: string } {
  const codePath = process.env.WORKFLOW_BUNDLE_PATH ?? join(__dirname, '..', 'workflowBundle.js');
  return existsSync(codePath) ? { workflowBundle: { codePath } } : { workflowsPath: require.resolve('../workflows') };
}

/**
 * Hosts workflows and activities; while Temporal cannot be reached it tries again every 2 s. Letters have a queue and a
 * worker of their own, and attempts of deliveries: while the mail server or receivers hang they hold their places long,
 * and nothing else is to wait for those.
 */
export function startTemporalWorkers(settings: Settings, parts: ActivityDeps, logger: Logger): TemporalWorkers {
  installRuntimeLogger(logger);
  const activities = createActivities(parts);
  let workers: Worker[] = [];
  let connected: NativeConnection | undefined;
  const stopping = new AbortController();
  const shutDown = (): void => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };

  const host = async (): Promise<void> => {
    const connection = await NativeConnection.connect({ address: settings.temporalAddress });
    connected = connection;
    const running: Promise<void>[] = [];
    const begin = async (options: Pick<WorkerOptions, 'taskQueue' | 'workflowBundle' | 'workflowsPath' | 'maxCachedWorkflows' | 'maxConcurrentActivityTaskExecutions' | 'interceptors'>): Promise<void> => {
      const worker = await Worker.create({
        connection,
        namespace: settings.temporalNamespace,
        activities,
        maxConcurrentActivityTaskExecutions: maxConcurrentActivities,
        shutdownGraceTime: settings.shutdownTimeoutMs,
        ...options,
      });
      workers.push(worker);
      // A worker that was created is run, though stopping has begun meanwhile: one that never ran is never let go.
      const ended = worker.run();
      ended.catch(() => undefined);
      running.push(ended);
    };
    try {
      await registerSearchAttributes(connection, settings.temporalNamespace);
      await ensureSchedules(connection, settings.temporalNamespace, settings.taskQueue);
      await begin({ taskQueue: settings.taskQueue, ...workflowCode(), maxCachedWorkflows: 500 });
      await begin({ taskQueue: emailsQueue(settings.taskQueue), interceptors: { activity: [limitEmailsPerInstitution()] } });
      await begin({ taskQueue: webhooksQueue(settings.taskQueue), maxConcurrentActivityTaskExecutions: maxConcurrentAttempts });
      if (stopping.signal.aborted) shutDown();
      await Promise.race(running);
    } finally {
      // Where one has ended the other is to begin anew with it.
      shutDown();
      await Promise.allSettled(running);
      workers = [];
      connected = undefined;
      await connection.close();
    }
  };
  const hosting = (async () => {
    while (!stopping.signal.aborted) {
      await host().catch((error: unknown) => logger.error({ err: error }, 'the temporal worker stopped'));
      // Cut short by stopping, which is no failure.
      await pause(reconnectAfterMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    checkPolling: async () => {
      const connection = connected;
      const areRunning = workers.length === 3 && workers.every((worker) => worker.getState() === 'RUNNING');
      if (connection === undefined || !areRunning) throw new Error('The worker does not poll Temporal');
      // A worker goes on polling a server that is away, and says that it runs.
      await connection.withDeadline(Date.now() + responseTimeoutMs, () => connection.workflowService.getSystemInfo({}));
    },
    stop: async () => {
      stopping.abort();
      shutDown();
      // A worker whose server hangs does not end, nor does one whose activities take no notice of being cancelled.
      const ended = await settlesWithin(settings.shutdownTimeoutMs + abortGraceMs, hosting);
      if (!ended) logger.warn('the temporal workers have not ended in time; they are given up');
    },
  };
}
