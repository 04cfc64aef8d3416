import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '../config/logger';
import { addDependencyGauge } from '../config/dependencyGauge';
import { addPoolGauges } from '../config/poolGauges';
import type { Settings } from '../config/settings';
import { closeTimeoutMs, abortGraceMs } from '../config/shutdown';
import type { RepeatingTask } from '../lib/repeatingTask';
import { settlesWithin } from '../lib/timeout';
import { openDatabase, type Database } from '../db/database';
import { openReplica } from '../db/replica';
import { settingsSource } from '../db/sessionSettings';
import { openReadOnlyConnection } from '../db/readOnlyConnection';
import { readBusiestInstitutions } from '../db/repositories/metrics/busiestInstitutions';
import { readDatabaseUse } from '../db/repositories/metrics/databaseUse';
import { readWaitingWork } from '../db/repositories/metrics/gauges';
import { listenForWakeups } from '../db/wakeListener';
import { createWakeups, type WorkKind } from '../db/wakeups';
import type { Domain } from '../domain/context';
import { checkSpaceForFiles } from '../outbound/files/freeSpace';
import { sweepSpool } from '../outbound/files/sweepSpool';
import { openOutbound } from '../outbound/openOutbound';
import type { TemporalConnection } from '../outbound/temporal/engine';
import { endWorkflows } from '../outbound/temporal/endWorkflows';
import { findWorkflow } from '../outbound/temporal/findWorkflow';
import { workerVersions } from '../outbound/temporal/workerVersions';
import { startCurrentVersionLoop } from './currentVersion';
import { addDatabaseGauges, addInstitutionGauges, addWaitingGauges } from './gauges';
import { serveHealth } from './health';
import { startLoops } from './loops';
import { createWorkerMetrics } from './metrics';
import { workerDependencies } from './dependencies';
import { startFillLoop } from './fillLoop';
import { startLostWorkflowLoop } from './lostWorkflows';
import { startScheduleGauges } from './scheduleGauges';
import { openSdkMetrics } from './sdkMetrics';
import { startTaskQueueGauges } from './taskQueueGauges';
import { watchWorkflowTasks } from './workflowTasks';
import { AttemptConcurrency } from '../activities/webhooks/attemptConcurrency';
import type { ActivityDeps } from '../activities';
import { startTemporalWorkers } from './temporal';

/** Timeout for reading the gauges from Postgres, in ms. */
const gaugesTimeoutMs = 1_000;

/** A running worker process: its loops and Temporal workers, and how to stop them. */
export interface RunningWorker {
  port: number;
  domain: Domain;
  /** Accepts no new work, waits at most the shutdown timeout for work in progress, then closes the stores. */
  stop(): Promise<void>;
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** Intervals that tests shorten, in ms. */
export interface WorkerTimes {
  /** Minimum interval between two reads of the gauges from Postgres. */
  gaugesEveryMs: number;
  /** Interval between two checks of open workflows. */
  lostWorkflowsEveryMs: number;
  /** How often open fills are looked for. */
  fillsEveryMs: number;
  /** Interval between two looks at what Temporal has: Schedules, task queues and versions. */
  temporalLooksEveryMs: number;
}

/** Only workers with a version have one that may be current. */
function startCurrentVersion({ workerDeployment, taskQueue }: Settings, sql: Database['sql'], temporal: TemporalConnection, logger: Logger, everyMs: number | undefined): RepeatingTask | undefined {
  if (workerDeployment === null) return undefined;
  return startCurrentVersionLoop(sql, { ...workerDeployment, taskQueue, versions: workerVersions(temporal, workerDeployment.deploymentName) }, logger, everyMs);
}

/** Starts everything that a worker runs for what it serves. Fails if Postgres is unreachable; Temporal may become reachable later. */
export async function startWorker(settings: Settings, logger: Logger, times: Partial<WorkerTimes> = {}): Promise<RunningWorker> {
  const directUrl = settings.databaseDirectUrl ?? settings.databaseUrl;
  const onConnectionLost = (error: Error): void => logger.warn({ err: error }, 'a database connection was lost');
  const metrics = createWorkerMetrics();
  const primary = await openDatabase(settings.databaseUrl, settings.databasePoolSize, onConnectionLost, settingsSource(settings));
  const database = openReplica(primary, settings, logger, metrics.observeReplicaRead, onConnectionLost);
  if (database.tenantRole === null) logger.warn('the role of DATABASE_URL owns the tables: row-level security does not keep institutions apart');
  const outbound = await openOutbound(settings, logger);
  await sweepSpool(settings.uploadSpoolFolder, new Date());
  const { temporal, client, mailer } = outbound;
  const onCommitted: Domain['onCommitted'] = (left, ended = {}) => {
    metrics.observeEnded(ended);
    wake(left);
  };
  const domain: Domain = { ...outbound.domain, database, onCommitted };
  const loops = startLoops(settings, { domain, temporal, client, metrics, logger, onConnectionLost });
  const wakeups = createWakeups(database, (error) => logger.warn({ err: error }, 'other workers could not be notified of new work'));
  const wake = (work: readonly WorkKind[]): void => {
    const elsewhere = loops.wake(work);
    if (elsewhere.length > 0) wakeups.send(elsewhere);
  };
  const listener = listenForWakeups(
    directUrl,
    loops.wake,
    (error) => logger.warn({ err: error }, 'notifications of new work are not received'),
  );
  const onPruneFailed: ActivityDeps['onPruneFailed'] = (kind, error) => {
    metrics.observePruneFailed(kind);
    logger.error({ err: error, kind }, 'housekeeping failed for one kind of rows');
  };
  const sdkMetrics = await openSdkMetrics(metrics.registry, logger);
  const worker = startTemporalWorkers(settings, { domain, client, metrics, mailer, onPruneFailed, guardianPortalUrl: settings.guardianPortalUrl, portalUrl: settings.portalUrl, spoolFolder: settings.uploadSpoolFolder, hasSpace: checkSpaceForFiles(settings), endWorkflows: endWorkflows(temporal), platformAdminEmail: settings.platformAdminEmail, attemptConcurrency: new AttemptConcurrency(settings.workerSlots.attempts.slots) }, logger);
  const fills = settings.workerSlots.queues.has('workflows') ? startFillLoop(domain, temporal, logger, times.fillsEveryMs) : undefined;
  const lostWorkflows = startLostWorkflowLoop(domain, findWorkflow(temporal), metrics.registry, logger, times.lostWorkflowsEveryMs);
  const schedules = startScheduleGauges({ temporal, restore: () => worker.restore(), registry: metrics.registry, logger, everyMs: times.temporalLooksEveryMs });
  const taskQueues = startTaskQueueGauges({ temporal, deploymentName: settings.workerDeployment?.deploymentName ?? null, registry: metrics.registry, logger, everyMs: times.temporalLooksEveryMs });
  const currentVersion = startCurrentVersion(settings, database.sql, temporal, logger, times.temporalLooksEveryMs);
  const tasks = watchWorkflowTasks(sdkMetrics);
  const dependencies = workerDependencies({ database, temporal, workers: worker, tasks });
  const probe = openReadOnlyConnection(directUrl, gaugesTimeoutMs);
  addWaitingGauges(metrics.registry, (now) => readWaitingWork(probe.sql, now), logger, times.gaugesEveryMs);
  addDatabaseGauges(metrics.registry, () => readDatabaseUse(probe.sql), logger);
  addInstitutionGauges(metrics.registry, () => readBusiestInstitutions(probe.sql), logger);
  addPoolGauges(metrics.registry, database.pool);
  addDependencyGauge(metrics.registry, dependencies);
  const server = createServer(serveHealth(dependencies, metrics.registry, sdkMetrics.readPassedOn));
  server.maxConnections = settings.maxConnections;
  const port = await listen(server, settings.platformHost, settings.workerPort);
  const close = async (): Promise<void> => {
    // Emails and posts have already had the shutdown timeout.
    await outbound.close(0);
    const serverClosed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await serverClosed;
    await Promise.all([probe.close(), loops.close(), wakeups.close(), database.close()]);
  };
  return {
    port,
    domain,
    stop: async () => {
      const ms = settings.shutdownTimeoutMs;
      const ended = await settlesWithin(ms + abortGraceMs, Promise.all([listener.close(), worker.stop(), loops.stop(ms), lostWorkflows.stop(), fills?.stop(), schedules.stop(), taskQueues.stop(), currentVersion?.stop(), tasks.stop()]));
      const closed = await settlesWithin(closeTimeoutMs, close());
      if (!ended || !closed) logger.warn({ ended, closed }, 'the worker stops before everything has ended');
    },
  };
}
