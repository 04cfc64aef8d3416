import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from '@temporalio/worker';
import type { Logger } from '../config/logger';
import type { Settings } from '../config/settings';
import { abortGraceMs } from '../config/shutdown';
import { settlesWithin } from '../lib/timeout';
import { dataConverter } from '../outbound/temporal/payloadCodec';
import { queueWorkers } from './queueWorkers';
import { connectWorkers, prepareWorkersNamespace, type WorkerConnection } from './temporalConnection';
import { activityTracing, traceSinks } from './tracing';
import { createActivities, type ActivityDeps } from '../activities';

const reconnectAfterMs = 2_000;
/** Timeout of the check that Temporal responds, in ms. */
const responseTimeoutMs = 1_000;

/** The Temporal workers of this process, restarted whenever Temporal is reachable. */
export interface TemporalWorkers {
  /** Resolves if they poll Temporal now, else rejects. */
  checkPolling(): Promise<void>;
  /** Makes the search attributes and Schedules again, as when they started; returns the names of those that it made, none while they are not connected. */
  restore(): Promise<string[]>;
  /** Accepts no new tasks and waits at most the shutdown timeout for the present ones; then abandons them. */
  stop(): Promise<void>;
}

/** Hosts the workflows and activities of the task queues that the process serves; while Temporal is unreachable it retries every 2 s. */
export function startTemporalWorkers(settings: Settings, parts: ActivityDeps, logger: Logger): TemporalWorkers {
  const activities = createActivities(parts);
  let workers: Worker[] = [];
  /** Whether every queue that is served has its worker. */
  let hasBegun = false;
  let connected: WorkerConnection | undefined;
  const stopping = new AbortController();
  const shutDown = (): void => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };

  /** What the namespace lacked when it was last looked at. */
  let lacking = '';
  let preparing: Promise<string[]> | undefined;
  const prepare = (connection: WorkerConnection): Promise<string[]> => {
    // One look at a time: two would log the same.
    preparing ??= prepareWorkersNamespace(connection.current(), settings, logger, lacking)
      .then((prepared) => {
        lacking = prepared.lacking;
        return prepared.made;
      })
      .finally(() => { preparing = undefined; });
    return preparing;
  };
  const host = async (): Promise<void> => {
    const connection = await connectWorkers(settings, logger, () => workers);
    connected = connection;
    const tracing = await activityTracing(settings);
    const running: Promise<void>[] = [];
    const begin = async (options: ReturnType<typeof queueWorkers>[number]): Promise<void> => {
      const worker = await Worker.create({
        connection: connection.current(),
        namespace: settings.temporalNamespace,
        dataConverter: dataConverter(settings.temporalCodecKeys),
        activities,
        shutdownGraceTime: settings.shutdownTimeoutMs,
        ...options,
        interceptors: { ...options.interceptors, activity: [...tracing, ...(options.interceptors?.activity ?? [])] },
        sinks: traceSinks,
      });
      workers.push(worker);
      // A created worker is always run, even if stopping has begun: one that never ran is never released.
      const ended = worker.run();
      ended.catch(() => undefined);
      running.push(ended);
    };
    try {
      await prepare(connection);
      for (const options of queueWorkers(settings)) await begin(options);
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
    restore: async () => (connected === undefined ? [] : prepare(connected)),
    stop: async () => {
      stopping.abort();
      shutDown();
      // A worker does not end while its server hangs, or while its activities ignore their cancellation.
      const ended = await settlesWithin(settings.shutdownTimeoutMs + abortGraceMs, hosting);
      if (!ended) logger.warn('the temporal workers did not end in time and are abandoned');
    },
  };
}
