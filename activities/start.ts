import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '../config/logger';
import type { Settings } from '../config/settings';
import type { Dependency } from '../config/readiness';
import { openDatabase } from '../db/database';
import { openProbe } from '../db/probe';
import { readWaitingWork } from '../db/repositories/gauges';
import { openSteadyPool } from '../db/steadyPool';
import { listenForWakeups } from '../db/wakeListener';
import type { Work } from '../db/wakeups';
import type { Domain } from '../domain/context';
import { openOutbound } from '../outbound/openOutbound';
import { temporalEngine } from '../outbound/temporal/engine';
import { addDependencyGauge, addWaitingGauges } from './gauges';
import { serveHealth } from './health';
import { createWorkerMetrics } from './metrics';
import { startClosing } from './provisioning/closing';
import { startRelay } from './relay/relay';
import { startSender } from './sender/sender';
import { Places } from './webhooks/places';
import { hostWorker } from './worker';

/** How long Postgres may take over the gauges, in ms. */
const gaugesWithinMs = 1_000;

/** A running worker process: sender, relay and Temporal worker, and the one way to stop them. */
export interface RunningWorker {
  port: number;
  domain: Domain;
  stop(): Promise<void>;
}

/** The sender's loops and writers run side by side, each on a connection of its own. */
const senderConnections = 6;

async function listen(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** Starts everything that a worker runs. Fails when Postgres cannot be reached; Temporal may come later. */
export async function startWorker(settings: Settings, logger: Logger): Promise<RunningWorker> {
  const database = await openDatabase(settings.databaseUrl, settings.databasePoolSize, (error) =>
    logger.warn({ err: error }, 'a database connection was lost'),
  );
  const outbound = await openOutbound(settings, logger);
  const { temporal, client, mailer } = outbound;
  const metrics = createWorkerMetrics();
  const onCommitted: Domain['onCommitted'] = (left, ended = {}) => {
    metrics.observeEnded(ended);
    wake(left);
  };
  const domain: Domain = { ...outbound.domain, database, onCommitted };
  const relay = startRelay(database, temporalEngine(temporal), logger);
  const steady = openSteadyPool(settings.databaseUrl, senderConnections, (error) => logger.warn({ err: error }, 'a database connection was lost'));
  const sender = startSender({ domain, sql: steady.sql, client, logger, metrics, onOwed: relay.wake });
  const wakes: Record<Work, () => void> = { events: sender.wakeForEvents, deliveries: sender.wakeForDeliveries, workflows: relay.wake };
  const wake = (work: readonly Work[]): void => {
    for (const kind of work) wakes[kind]();
  };
  const closing = startClosing(domain, logger);
  const listener = listenForWakeups(
    settings.databaseUrl,
    wake,
    (error) => logger.warn({ err: error }, 'wake-ups are not heard'),
  );
  const worker = hostWorker(settings, { domain, client, metrics, mailer, guardianPortalUrl: settings.guardianPortalUrl, portalUrl: settings.portalUrl, platformAdminEmail: settings.platformAdminEmail, places: new Places() }, logger);
  const dependencies: Dependency[] = [
    { name: 'postgres', required: true, check: () => database.sql('SELECT 1') },
    { name: 'temporal', required: false, check: () => worker.polling() },
  ];
  const probe = openProbe(settings.databaseUrl, gaugesWithinMs);
  addWaitingGauges(metrics.registry, (now) => readWaitingWork(probe.sql, now), logger);
  addDependencyGauge(metrics.registry, dependencies);
  const server = createServer(serveHealth(dependencies, metrics.registry));
  const port = await listen(server, settings.platformHost, settings.workerPort);
  return {
    port,
    domain,
    stop: async () => {
      await listener.close();
      await Promise.all([worker.stop(), relay.stop(), sender.stop(), closing.stop()]);
      await outbound.close(settings.shutdownTimeoutMs);
      await new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await probe.close();
      await Promise.all([steady.close(), database.close()]);
    },
  };
}
