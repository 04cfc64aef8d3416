import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker, type WorkerOptions } from '@temporalio/worker';
import type { Logger } from '../config/logger';
import type { Settings } from '../config/settings';
import { abortGraceMs } from '../config/shutdown';
import { settlesWithin } from '../lib/timeout';
import { dataConverter } from '../outbound/temporal/payloadCodec';
import { archivesQueue, emailsQueue, erasuresQueue, webhooksQueue } from '../workflows/contract';
import { limitPerInstitution } from './institutionConcurrency';
import { installRuntimeLogger } from './runtimeLogger';
import { connectWorkers, prepareWorkersNamespace, type WorkerConnection } from './temporalConnection';
import { createActivities, type ActivityDeps } from '../activities';

const reconnectAfterMs = 2_000;
/** Timeout of the check that Temporal responds, in ms. */
const responseTimeoutMs = 1_000;
/** Maximum number of concurrent activities of a queue's worker. */
const maxConcurrentActivities = 100;
/** The same for the queue that attempts deliveries: more than the slots for attempts, so that an activity without a free slot learns so immediately. */
const maxConcurrentAttempts = 640;
/** The same for archives, each of which may have gigabytes, and for erasures, whose chunks search everything of an institution. */
const maxConcurrentArchives = 4;
const maxConcurrentErasures = 16;

/** The Temporal workers of this process, restarted whenever Temporal is reachable. */
export interface TemporalWorkers {
  /** Resolves if they poll Temporal now, else rejects. */
  checkPolling(): Promise<void>;
  /** Accepts no new tasks and waits at most the shutdown timeout for the present ones; then abandons them. */
  stop(): Promise<void>;
}

/** Returns the workflow bundle of the build, or else the source of the workflows. */
function workflowCode(): { workflowBundle: { codePath: string } } | { workflowsPath: string } {
  const codePath = process.env.WORKFLOW_BUNDLE_PATH ?? join(__dirname, '..', 'workflowBundle.js');
  return existsSync(codePath) ? { workflowBundle: { codePath } } : { workflowsPath: require.resolve('../workflows') };
}

/**
 * Hosts workflows and activities; while Temporal is unreachable it retries every 2 s. Emails, attempts of deliveries, archives and
 * erasures have separate queues and workers: while the mail server or receivers hang, or a school asks for hundreds, they occupy
 * slots for long, and must not delay other activities.
 */
export function startTemporalWorkers(settings: Settings, parts: ActivityDeps, logger: Logger): TemporalWorkers {
  installRuntimeLogger(logger);
  const activities = createActivities(parts);
  let workers: Worker[] = [];
  /** Whether every queue has its worker. */
  let hasBegun = false;
  let connected: WorkerConnection | undefined;
  const stopping = new AbortController();
  const shutDown = (): void => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };

  const host = async (): Promise<void> => {
    const connection = await connectWorkers(settings, logger, () => workers);
    connected = connection;
    const running: Promise<void>[] = [];
    const begin = async (options: Pick<WorkerOptions, 'taskQueue' | 'workflowBundle' | 'workflowsPath' | 'maxCachedWorkflows' | 'maxConcurrentActivityTaskExecutions' | 'interceptors'>): Promise<void> => {
      const worker = await Worker.create({
        connection: connection.current(),
        namespace: settings.temporalNamespace,
        dataConverter: dataConverter(settings.temporalCodecKeys),
        activities,
        maxConcurrentActivityTaskExecutions: maxConcurrentActivities,
        shutdownGraceTime: settings.shutdownTimeoutMs,
        ...options,
      });
      workers.push(worker);
      // A created worker is always run, even if stopping has begun: one that never ran is never released.
      const ended = worker.run();
      ended.catch(() => undefined);
      running.push(ended);
    };
    try {
      await prepareWorkersNamespace(connection.current(), settings, logger);
      await begin({ taskQueue: settings.taskQueue, ...workflowCode(), maxCachedWorkflows: 500 });
      await begin({ taskQueue: emailsQueue(settings.taskQueue), interceptors: { activity: [limitPerInstitution('emails')] } });
      await begin({ taskQueue: webhooksQueue(settings.taskQueue), maxConcurrentActivityTaskExecutions: maxConcurrentAttempts });
      await begin({ taskQueue: archivesQueue(settings.taskQueue), maxConcurrentActivityTaskExecutions: maxConcurrentArchives, interceptors: { activity: [limitPerInstitution('archives')] } });
      await begin({ taskQueue: erasuresQueue(settings.taskQueue), maxConcurrentActivityTaskExecutions: maxConcurrentErasures, interceptors: { activity: [limitPerInstitution('erasures')] } });
      hasBegun = true;
      if (stopping.signal.aborted) shutDown();
      await Promise.race(running);
    } finally {
      // When one has ended, all are restarted together.
      shutDown();
      await Promise.allSettled(running);
      workers = [];
      hasBegun = false;
      connected = undefined;
      await connection.close();
    }
  };
  const hosting = (async () => {
    while (!stopping.signal.aborted) {
      await host().catch((error: unknown) => logger.error({ err: error }, 'the temporal worker stopped'));
      // Interrupted by stopping, which is not a failure.
      await pause(reconnectAfterMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    checkPolling: async () => {
      const connection = connected?.current();
      const areRunning = hasBegun && workers.every((worker) => worker.getState() === 'RUNNING');
      if (connection === undefined || !areRunning) throw new Error('The worker does not poll Temporal');
      // A worker keeps polling an unreachable server, and reports that it runs.
      await connection.withDeadline(Date.now() + responseTimeoutMs, () => connection.workflowService.getSystemInfo({}));
    },
    stop: async () => {
      stopping.abort();
      shutDown();
      // A worker does not end while its server hangs, or while its activities ignore their cancellation.
      const ended = await settlesWithin(settings.shutdownTimeoutMs + abortGraceMs, hosting);
      if (!ended) logger.warn('the temporal workers did not end in time and are abandoned');
    },
  };
}
