import type { Logger } from '../config/logger';
import { addDependencyGauge } from '../config/dependencyGauge';
import { addPoolGauges } from '../config/poolGauges';
import type { Settings } from '../config/settings';
import { closeTimeoutMs, abortGraceMs } from '../config/shutdown';
import type { Dependency } from '../lib/readiness';
import { settlesWithin } from '../lib/timeout';
import { openDatabase } from '../db/database';
import { openReplica } from '../db/replica';
import { settingsSource } from '../db/sessionSettings';
import { createWakeups } from '../db/wakeups';
import { insertDisclosures } from '../db/repositories/disclosures/disclosures';
import type { Domain } from '../domain/context';
import { createDisclosureLog } from '../domain/disclosures/disclosureLog';
import { checkSpaceForFiles } from '../outbound/files/freeSpace';
import { sweepSpool } from '../outbound/files/sweepSpool';
import { openOutbound } from '../outbound/openOutbound';
import { createIdentityProvider } from '../outbound/oidc/identityProvider';
import { awaitConnection, openRedis } from '../outbound/redis';
import { createPayloadCodec } from '../outbound/temporal/payloadCodec';
import { createPublicApp } from './app';
import { createAppsApp } from './appsApp';
import type { ResponseInspector } from './http/dispatch';
import { createMetrics, type ListenerName } from './http/metrics';
import { callsOfPerson, largeBodies, limitConcurrency, uploadRoutes } from './http/security/limitConcurrency';
import { listen, type ListenerLimits } from './listener';
import { platformOperations } from './operations/platform';
import { createPlatformApp } from './platformApp';

/** A running API: its listeners, and the function that stops it. */
export interface RunningApi {
  port: number;
  platformPort: number;
  appPort: number;
  domain: Domain;
  /** Still takes calls for the drain time while `/readyz` answers 503, then no new connections; lets requests in flight finish within the shutdown timeout, and closes the stores. */
  stop(): Promise<void>;
}

/** How long the first request waits for Redis, in ms: a process that starts at the same time as Redis must not reject its first callers. */
const redisStartMs = 1_000;

/** Opens the stores and the listeners. Fails if a port is in use or Postgres cannot be reached. */
export async function startApi(settings: Settings, logger: Logger, inspect?: ResponseInspector): Promise<RunningApi> {
  const onConnectionLost = (error: Error): void => logger.warn({ err: error }, 'a database connection was lost');
  const metrics = createMetrics();
  const primary = await openDatabase(settings.databaseUrl, settings.databasePoolSize, onConnectionLost, settingsSource(settings));
  const database = openReplica(primary, settings, logger, metrics.observeReplicaRead, onConnectionLost);
  if (database.tenantRole === null) logger.warn('the role of DATABASE_URL owns the tables: row-level security does not keep institutions apart');
  const redis = openRedis(settings, (error) => logger.warn({ err: error }, 'redis connection error'));
  const wakeups = createWakeups(database, (error) => logger.warn({ err: error }, 'a wake-up was not sent'));
  const outbound = await openOutbound(settings, logger);
  const onCommitted: Domain['onCommitted'] = (left, ended = {}) => {
    metrics.observeEnded(ended);
    if (left.length > 0) wakeups.send(left);
  };
  const domain: Domain = { ...outbound.domain, database, onCommitted };
  const { publicBaseUrl, ownOrigins, platformToken, earlierPlatformTokens, fileStore } = settings;
  const disclosures = createDisclosureLog({
    write: (batch) => insertDisclosures(database.sql, batch),
    onOutcome: metrics.observeDisclosures,
    onError: (error) => logger.error({ err: error }, 'disclosures were not recorded'),
  });
  addPoolGauges(metrics.registry, database.pool);
  const hasSpace = checkSpaceForFiles(settings);
  const frame = { isTracing: settings.tracing !== null, disclosures, uploads: { spoolFolder: settings.uploadSpoolFolder, maxBytes: settings.maxUploadBytes, hasSpace }, inspect };
  const app = createPublicApp({ domain, redis, logger, metrics, publicBaseUrl, ownOrigins, fileStore, ...frame });
  // A person may use both listeners: what they have in progress counts together.
  const uploads = uploadRoutes('/platform/v1', platformOperations);
  const concurrencyLimits = [limitConcurrency(callsOfPerson, uploads), limitConcurrency(largeBodies, uploads)];
  const apps = createAppsApp({ domain, logger, metrics, redis, publicBaseUrl, origins: settings.appOrigins, trustedProxies: settings.trustedProxies, concurrencyLimits, ...frame });
  let isStopping = false;
  const dependencies: readonly Dependency[] = [
    { name: 'postgres', required: true, check: () => database.sql('SELECT 1') },
    // Without it calls with a key are refused with 503; exams under way, the platform API and the console go on (decision 74).
    { name: 'redis', required: false, check: () => redis.ping() },
  ];
  addDependencyGauge(metrics.registry, dependencies);
  const platform = createPlatformApp({
    domain,
    logger,
    metrics,
    platformTokens: [platformToken, ...earlierPlatformTokens],
    keys: settings.keys,
    identityProvider: settings.oidc === null ? undefined : createIdentityProvider(settings.oidc),
    platformHost: settings.platformHost,
    platformNames: settings.platformNames,
    temporalUi: outbound.temporalUi,
    payloadCodec: createPayloadCodec(settings.temporalCodecKeys),
    redis,
    trustedProxies: settings.trustedProxies,
    concurrencyLimits,
    dependencies,
    isStopping: () => isStopping,
    ...frame,
  });
  await sweepSpool(settings.uploadSpoolFolder, new Date());
  await awaitConnection(redis, redisStartMs);
  const limits = (name: ListenerName): ListenerLimits => ({ maxConnections: settings.maxConnections, onRefused: () => metrics.observeRefusedConnection(name) });
  const listener = await listen(app, settings.host, settings.port, limits('public'));
  const platformListener = await listen(platform, settings.platformHost, settings.platformPort, limits('platform'));
  const appsListener = await listen(apps, settings.host, settings.appPort, limits('apps'));
  const close = async (): Promise<void> => {
    await disclosures.close();
    await outbound.close(abortGraceMs);
    await wakeups.close();
    redis.disconnect();
    await database.close();
  };
  return {
    port: listener.port,
    platformPort: platformListener.port,
    appPort: appsListener.port,
    domain,
    stop: async () => {
      isStopping = true;
      await Promise.all([listener, platformListener, appsListener].map((each) => each.close(settings.shutdownTimeoutMs, settings.shutdownDrainMs)));
      // Requests that were aborted may still hold a connection, or have a post in progress.
      const closed = await settlesWithin(abortGraceMs + closeTimeoutMs, close());
      if (!closed) logger.warn('the API stops though not all has ended');
    },
  };
}
