import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { Logger } from '../config/logger';
import type { Settings } from '../config/settings';
import { keepSchedules } from '../outbound/temporal/schedules';
import { registerSearchAttributes } from '../outbound/temporal/searchAttributes';
import { logThrough } from './runtimeLogger';
import { createActivities, type ActivityParts } from './index';

const reconnectAfterMs = 2_000;
const drainWithin = '2 seconds';
/** How long the end of a worker is waited for, in ms: one whose server hangs does not end. */
const endsWithinMs = 4_000;
/** How long Temporal may take to say that it is there, in ms. */
const answerWithinMs = 1_000;

/** The Temporal worker of this process, kept running while Temporal comes and goes. */
export interface HostedWorker {
  /** Resolves when it polls Temporal at this moment, else rejects. */
  polling(): Promise<void>;
  /** Takes no new tasks and lets the present ones end, within 4 s. */
  stop(): Promise<void>;
}

/** Workflows as they were bundled when the program was built, else from their source. */
function workflowCode(): { workflowBundle: { codePath: string } } | { workflowsPath: string } {
  const codePath = process.env.WORKFLOW_BUNDLE_PATH ?? join(__dirname, '..', 'workflowBundle.js');
  return existsSync(codePath) ? { workflowBundle: { codePath } } : { workflowsPath: require.resolve('../workflows') };
}

/** Hosts workflows and activities; while Temporal cannot be reached it tries again every 2 s. */
export function hostWorker(settings: Settings, parts: ActivityParts, logger: Logger): HostedWorker {
  logThrough(logger);
  const activities = createActivities(parts);
  let worker: Worker | undefined;
  let connected: NativeConnection | undefined;
  const stopping = new AbortController();

  const host = async (): Promise<void> => {
    const connection = await NativeConnection.connect({ address: settings.temporalAddress });
    connected = connection;
    try {
      await registerSearchAttributes(connection, settings.temporalNamespace);
      await keepSchedules(connection, settings.temporalNamespace, settings.taskQueue);
      worker = await Worker.create({
        connection,
        namespace: settings.temporalNamespace,
        taskQueue: settings.taskQueue,
        activities,
        ...workflowCode(),
        maxConcurrentActivityTaskExecutions: 100,
        maxCachedWorkflows: 500,
        shutdownGraceTime: drainWithin,
      });
      const running = worker.run();
      // A worker that was created is run, though stopping has begun meanwhile: one that never ran is never let go.
      if (stopping.signal.aborted) worker.shutdown();
      await running;
    } finally {
      worker = undefined;
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
    polling: async () => {
      const connection = connected;
      if (connection === undefined || worker?.getState() !== 'RUNNING') throw new Error('The worker does not poll Temporal');
      // A worker goes on polling a server that is away, and says that it runs.
      await connection.withDeadline(Date.now() + answerWithinMs, () => connection.workflowService.getSystemInfo({}));
    },
    stop: async () => {
      stopping.abort();
      if (worker?.getState() === 'RUNNING') worker.shutdown();
      const ended = await Promise.race([hosting.then(() => true), pause(endsWithinMs, false, { ref: false })]);
      if (!ended) logger.warn('temporal does not answer; its worker is given up');
    },
  };
}
