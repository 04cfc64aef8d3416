import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '../../db/migrate';
import { serviceEnvironment } from '../apiAndWorker';
import type { Launcher } from '../launch';
import type { StackOptions } from '../options';
import { freePort } from '../ports';
import type { ProcessRecord } from '../processRecord';
import { databaseUrlForRole, onDatabase, onPort } from '../programs/databaseUrl';
import { startMailCatcher } from '../programs/mailCatcher';
import { startPgbouncer } from '../programs/pgbouncer';
import { withConnection } from '../programs/postgres';
import type { Progress } from '../progress';
import { ensureSecrets } from '../secrets';
import { waitUntil } from '../waitUntil';
import { startBucket } from './bucket';
import { makeCertificates, type ClusterCertificates } from './certificates';
import { clusterLog, type ClusterDeps } from './deps';
import { startFailoverAgent, type FailoverAgent } from './failover';
import { setApiState, startApiFront, startPostgresFront } from './haproxy';
import { postgresNode, type PostgresNode } from './postgresNode';
import { clusterPrograms } from './programs';
import { startRedisGroup, type RedisGroup } from './redisGroup';
import { createServices, type Services, type ServiceSource } from './services';
import { startTemporalCluster, type TemporalCluster } from './temporal';

/** How a process of the service reaches something; tests put a proxy in between. */
export type LinkTo = (name: string, what: 'temporal' | 'pgbouncer' | 'postgres', address: string) => Promise<string>;

/** What is started, and how much of it. */
export interface ClusterOptions {
  stack: StackOptions;
  record: ProcessRecord;
  launcher: Launcher;
  progress: Progress;
  apis?: number;
  workers?: number;
  /** Beyond the environment that the cluster gives to its processes. */
  environment?: NodeJS.ProcessEnv;
  link?: LinkTo;
  /** Whether payloads are encrypted; releases before 0.14.0 cannot. */
  codec?: boolean;
  /** What API and workers are started from; this checkout by default. */
  source?: (reached: { temporal: TemporalCluster; certificates: ClusterCertificates }) => Promise<ServiceSource>;
  /** Brings the schema up, as the owner for the role of the service; by default to that of this checkout. */
  migrations?: (ownerUrl: string, serviceUrl: string) => Promise<void>;
}

/** Everything that runs. */
export interface Cluster {
  /** The public API; ends with /v1. */
  apiUrl: string;
  platformUrl: string;
  appsUrl: string;
  platformToken: string;
  /** As the superuser, at whichever server is the primary. */
  ownerDatabaseUrl: string;
  databaseUrl: string;
  /** The same past PgBouncer. */
  directUrl: string;
  nodes: readonly PostgresNode[];
  agent: FailoverAgent;
  redis: RedisGroup;
  temporal: TemporalCluster;
  certificates: ClusterCertificates;
  mailDir: string;
  services: Services;
  /** Has the load balancer send an API no calls any more, or calls again: see {@link setApiState}. */
  setApiState(api: string, state: 'drain' | 'ready'): Promise<void>;
  stop(): Promise<void>;
}

const serviceGraceMs = 15_000;
/** What ends the parts of this process, in the order of their start. */
type Stops = (() => Promise<void>)[];

const secret = (): string => randomBytes(16).toString('hex');

/** Starts both servers, and waits until commits are on both. */
async function startPostgresPair(deps: ClusterDeps, stops: Stops): Promise<{ nodes: PostgresNode[]; agent: FailoverAgent; port: number; ownerUrl: string }> {
  const password = secret();
  const [primary, standby] = [await postgresNode(deps, 'postgres-a', password), await postgresNode(deps, 'postgres-b', password)];
  await primary.initialise();
  await primary.start();
  await standby.copyFrom(primary);
  await standby.start(primary);
  const agent = await startFailoverAgent(primary, standby, (line) => deps.progress.log(line));
  // A primary that ends from now on has not died.
  stops.push(() => agent.stop());
  await waitUntil({ what: 'The standby', withinMs: 30_000, check: async () => { if (!agent.synchronous) throw new Error('it is not synchronous'); } });
  const port = await freePort();
  const nodes = [primary, standby];
  await startPostgresFront(deps, port, nodes, agent);
  const adminUrl = onPort(primary.url(), port);
  await waitUntil({ what: 'HAProxy before Postgres', withinMs: 10_000, check: () => withConnection(adminUrl, async (client) => { await client.query('CREATE DATABASE institution'); }) });
  return { nodes, agent, port, ownerUrl: onDatabase(adminUrl, 'institution') };
}

async function startParts({ stack, record, launcher, progress, apis = 2, workers = 3, environment: added = {}, link = async (_name, _what, address) => address, codec = true, source, migrations = migrate }: ClusterOptions, stops: Stops): Promise<Omit<Cluster, 'stop'>> {
  const { localDir, environment } = stack;
  for (const folder of ['postgres-a', 'postgres-b', 'redis', 's3', 'temporal', 'temporal-ui', 'mail', 'certificates', 'secrets.json']) rmSync(join(localDir, folder), { recursive: true, force: true });
  mkdirSync(join(localDir, 'logs'), { recursive: true });
  chmodSync(localDir, 0o755);
  const programs = await clusterPrograms({ environment, record, progress }, join(localDir, 'logs'));
  const deps: ClusterDeps = { environment, localDir, record, launcher, progress, programs };
  const certificates = await progress.step('Certificates', () => makeCertificates(join(localDir, 'certificates')));
  const mailDir = join(localDir, 'mail');
  mkdirSync(mailDir, { recursive: true });
  const secrets = ensureSecrets(localDir);
  const [postgres, redis, bucket, mail] = await Promise.all([
    progress.step('Postgres and its synchronous standby', () => startPostgresPair(deps, stops)),
    progress.step('Redis, its replica and three Sentinels', () => startRedisGroup(deps, secret())),
    startBucket(deps, secret()),
    startMailCatcher({ folder: mailDir }),
  ]);
  stops.push(() => mail.stop());
  const { ownerUrl } = postgres;
  const directUrl = databaseUrlForRole(ownerUrl, 'institution_service', secrets.service_password);
  await progress.step('Migrations', () => migrations(ownerUrl, directUrl));
  const pgbouncerPort = await startPgbouncer({ environment, record, progress, launcher, folder: join(localDir, 'pgbouncer'), adminDatabaseUrl: ownerUrl, settings: { server_login_retry: '1' }, logFile: clusterLog(deps, 'pgbouncer') });
  const temporal = await progress.step('Temporal: frontend, history twice, matching, worker', () => startTemporalCluster(deps, {
    ownerDatabaseUrl: ownerUrl, databaseUrl: databaseUrlForRole(onPort(ownerUrl, pgbouncerPort), 'temporal', secret()), certificates, uiPort: stack.temporalUiPort, codecEndpoint: `http://127.0.0.1:${stack.platformPort}/console/codec`,
  }));
  const databaseUrl = onPort(directUrl, pgbouncerPort);
  const base = serviceEnvironment({ options: stack, secrets }, { databaseUrl, ownerDatabaseUrl: ownerUrl, redisUrl: redis.url, temporalAddress: temporal.address, temporalUiUrl: temporal.uiUrl, smtpUrl: mail.url, mailDir });
  const linkUrl = async (name: string, what: 'pgbouncer' | 'postgres', url: string): Promise<string> => {
    const linked = new URL(url);
    linked.host = await link(name, what, linked.host);
    return linked.href;
  };
  const randomKey = randomBytes(32).toString('base64');
  const services = await createServices(deps, { apis, workers }, async (name) => ({
    ...base,
    ...bucket,
    // As an installation has them: HAProxy stands in front of the API.
    SHUTDOWN_DRAIN_MS: '3000',
    SHUTDOWN_TIMEOUT_MS: '10000',
    DATABASE_URL: await linkUrl(name, 'pgbouncer', databaseUrl),
    DATABASE_DIRECT_URL: await linkUrl(name, 'postgres', directUrl),
    REDIS_SENTINELS: redis.sentinels.join(','),
    REDIS_SENTINEL_NAME: redis.name,
    TEMPORAL_ADDRESS: await link(name, 'temporal', temporal.address),
    TEMPORAL_NAMESPACE: temporal.namespace,
    TEMPORAL_TLS: 'true',
    TEMPORAL_TLS_SERVER_NAME: certificates.serverName,
    TEMPORAL_TLS_CA_FILE: certificates.caFile,
    TEMPORAL_TLS_CERT_FILE: certificates.client.certFile,
    TEMPORAL_TLS_KEY_FILE: certificates.client.keyFile,
    ...(codec ? { TEMPORAL_CODEC_KEYS: `cluster-1:${randomKey}` } : {}),
    ...added,
  }));
  stops.push(() => services.stopAll(serviceGraceMs));
  const startedFrom = await source?.({ temporal, certificates });
  await progress.step(`${apis} API processes and ${workers} workers`, () => Promise.all([...services.apis.map(({ name }) => name), ...services.workers].map((name) => services.start(name, startedFrom))));
  await startApiFront(deps, stack.host, stack, services.apis);
  return {
    apiUrl: `http://127.0.0.1:${stack.port}/v1`,
    platformUrl: `http://127.0.0.1:${stack.platformPort}/platform/v1`,
    appsUrl: `http://127.0.0.1:${stack.appPort}/platform/v1`,
    platformToken: secrets.platform_token,
    ownerDatabaseUrl: ownerUrl,
    databaseUrl,
    directUrl,
    nodes: postgres.nodes,
    agent: postgres.agent,
    redis,
    temporal,
    certificates,
    mailDir,
    services,
    setApiState: (api, state) => setApiState(localDir, api, state),
  };
}

/** Starts a cluster with empty stores. What it has started is ended by `stop` and by the record; if it fails, the parts of this process at once. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const stops: Stops = [];
  const stop = async (): Promise<void> => {
    for (const each of stops.splice(0).reverse()) await each();
  };
  try {
    return { ...await startParts(options, stops), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
