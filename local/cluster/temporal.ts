import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Connection, type TLSConfig } from '@temporalio/client';
import { freePort } from '../ports';
import { runToEnd } from '../processes';
import { ensureNamespace } from '../programs/temporalNamespace';
import { withConnection } from '../programs/postgres';
import { projectRoot } from '../projectRoot';
import { waitUntil } from '../waitUntil';
import type { ClusterCertificates } from './certificates';
import { clusterLog, launchMember, type ClusterDeps } from './deps';
import { requireListening } from './haproxy';
import { temporalConfig, temporalServices, type TemporalPorts, type TemporalService } from './temporalConfig';

/** Temporal as operators run it. */
export interface TemporalCluster {
  address: string;
  namespace: string;
  uiUrl: string;
  /** How a client proves itself. */
  tls: TLSConfig;
}

interface TemporalOptions {
  /** As the superuser, past PgBouncer: for making the databases. */
  ownerDatabaseUrl: string;
  /** As Temporal signs in, through PgBouncer. */
  databaseUrl: string;
  certificates: ClusterCertificates;
  uiPort: number;
  /** Where the Web UI's browser finds the codec server; none without one. */
  codecEndpoint?: string;
}

const namespace = 'institution';
const schemaWithinMs = 60_000;
const readyWithinMs = 60_000;
/** What runs, each with its part of the server. */
const members: readonly (readonly [name: string, service: TemporalService])[] = [
  ['temporal-history-1', 'history'], ['temporal-history-2', 'history'], ['temporal-matching', 'matching'], ['temporal-frontend', 'frontend'], ['temporal-worker', 'worker'],
];

/** Makes the role and both databases with their tables. */
async function makeDatabases(deps: ClusterDeps, { ownerDatabaseUrl, databaseUrl }: TemporalOptions): Promise<void> {
  const { username, password } = new URL(databaseUrl);
  await withConnection(ownerDatabaseUrl, async (client) => {
    await client.query(`CREATE ROLE ${client.escapeIdentifier(username)} LOGIN CREATEDB PASSWORD ${client.escapeLiteral(password)}`);
  });
  const { hostname, port } = new URL(ownerDatabaseUrl);
  const environment = { ...deps.environment, SQL_PLUGIN: 'postgres12_pgx', SQL_HOST: hostname, SQL_PORT: port, SQL_USER: username, SQL_PASSWORD: password };
  const tool = (database: string, ...args: string[]): Promise<void> =>
    runToEnd({ name: `temporal-sql-tool ${args[0] ?? ''}`, program: deps.programs.temporalSqlTool, args: ['--db', database, ...args], env: environment, logFile: clusterLog(deps, 'temporal-schema'), stopSignal: 'SIGTERM' }, deps.record, schemaWithinMs);
  for (const [database, schema] of [['temporal', 'temporal'], ['temporal_visibility', 'visibility']] as const) {
    await tool(database, 'create-database');
    await tool(database, 'setup-schema', '-v', '0.0');
    await tool(database, 'update-schema', '--schema-name', `postgresql/v12/${schema}`);
  }
}

async function freePorts(): Promise<TemporalPorts> {
  const entries: (readonly [TemporalService, TemporalPorts[TemporalService]])[] = [];
  for (const service of temporalServices) entries.push([service, { grpcPort: await freePort(), membershipPort: await freePort() }]);
  return Object.fromEntries(entries) as TemporalPorts;
}

async function startUi(deps: ClusterDeps, address: string, { certificates, uiPort, codecEndpoint }: TemporalOptions): Promise<string> {
  const folder = join(deps.localDir, 'temporal-ui');
  mkdirSync(folder, { recursive: true });
  const { caFile, client, serverName } = certificates;
  const config = {
    temporalGrpcAddress: address, host: '127.0.0.1', port: uiPort, enableUi: true, defaultNamespace: namespace, disableNewsFetch: true, cors: { cookieInsecure: true, allowOrigins: [`http://127.0.0.1:${uiPort}`] },
    tls: { caFile, ...client, enableHostVerification: true, serverName },
    ...(codecEndpoint === undefined ? {} : { codec: { endpoint: codecEndpoint } }),
  };
  writeFileSync(join(folder, 'cluster.yaml'), JSON.stringify(config));
  const url = `http://127.0.0.1:${uiPort}`;
  await launchMember(deps, {
    name: 'temporal-ui',
    program: deps.programs.temporalUi,
    args: ['--root', folder, '--config', '.', '--env', 'cluster', 'start'],
    readyWithinMs,
    ready: async () => {
      const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`${url} answers ${response.status}`);
    },
  });
  return url;
}

/** Starts every process of the server, makes the namespace, and starts the Web UI. */
export async function startTemporalCluster(deps: ClusterDeps, options: TemporalOptions): Promise<TemporalCluster> {
  const { certificates } = options;
  const folder = join(deps.localDir, 'temporal');
  mkdirSync(folder, { recursive: true });
  await makeDatabases(deps, options);
  const ports = await freePorts();
  const dynamicConfigFile = join(projectRoot(), 'deploy', 'temporal', 'dynamicconfig.yaml');
  const httpPort = await freePort();
  const address = `127.0.0.1:${ports.frontend.grpcPort}`;
  const [ca, cert, key] = [certificates.caFile, certificates.client.certFile, certificates.client.keyFile].map((file) => readFileSync(file));
  if (ca === undefined || cert === undefined || key === undefined) throw new Error('The certificates are missing');
  const tls: TLSConfig = { serverNameOverride: certificates.serverName, serverRootCACertificate: ca, clientCertPair: { crt: cert, key } };
  const startMember = async ([name, service]: (typeof members)[number]): Promise<void> => {
    // The second history has ports of its own; each process knows the others by what they write into the database.
    const own = name === 'temporal-history-2' ? { ...ports, history: { grpcPort: await freePort(), membershipPort: await freePort() } } : ports;
    const file = join(folder, `${name}.yaml`);
    writeFileSync(file, JSON.stringify(temporalConfig({ databaseUrl: options.databaseUrl, ports: own, httpPort, certificates, dynamicConfigFile }), null, 2), { mode: 0o600 });
    await launchMember(deps, {
      name,
      program: deps.programs.temporalServer,
      args: ['--config-file', file, '--allow-no-auth', 'start', '--service', service],
      cwd: folder,
      readyWithinMs,
      ready: () => requireListening(own[service].grpcPort),
    });
  };
  // The first one writes what all have in common into the database.
  const [first, ...others] = members;
  if (first !== undefined) await startMember(first);
  await Promise.all(others.map(startMember));
  await deps.progress.step('Temporal answers', () => waitUntil({
    what: 'Temporal',
    withinMs: readyWithinMs,
    check: async () => {
      const connection = await Connection.connect({ address, tls, connectTimeout: 2_000 });
      try {
        await connection.withDeadline(Date.now() + 5_000, () => ensureNamespace(connection, namespace));
      } finally {
        await connection.close();
      }
    },
  }));
  return { address, namespace, tls, uiUrl: await startUi(deps, address, options) };
}
