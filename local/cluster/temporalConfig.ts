import type { ClusterCertificates } from './certificates';

/** The parts of Temporal's server, each a process of its own; history runs twice. */
export const temporalServices = ['frontend', 'history', 'matching', 'worker'] as const;
export type TemporalService = (typeof temporalServices)[number];

/** The ports of one process, for calls and for finding the others. */
interface ServicePorts {
  grpcPort: number;
  membershipPort: number;
}

export type TemporalPorts = Record<TemporalService, ServicePorts>;

interface ConfigSource {
  /** As Temporal signs in, through PgBouncer. */
  databaseUrl: string;
  /** This process and what it knows of the others. */
  ports: TemporalPorts;
  httpPort: number;
  certificates: ClusterCertificates;
  dynamicConfigFile: string;
}

/** Fixed for the life of the database; each history has half of them. */
const historyShards = 4;
const [storeConnections, visibilityConnections] = [10, 5];

const datastore = (databaseUrl: string, database: string, connections: number) => {
  const { hostname, port, username, password } = new URL(databaseUrl);
  return {
    sql: {
      pluginName: 'postgres12_pgx', databaseName: database, connectAddr: `${hostname}:${port}`, connectProtocol: 'tcp', user: username, password,
      maxConns: connections, maxIdleConns: connections, maxConnLifetime: '1h',
    },
  };
};

/** The configuration of one process of Temporal's server, which is YAML when it is written as JSON. */
export function temporalConfig({ databaseUrl, ports, httpPort, certificates, dynamicConfigFile }: ConfigSource): object {
  const { caFile, serverName, server, client } = certificates;
  const asClient = { serverName, rootCaFiles: [caFile] };
  const asServer = { ...server, requireClientAuth: true, clientCaFiles: [caFile] };
  const address = `127.0.0.1:${ports.frontend.grpcPort}`;
  return {
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'default', visibilityStore: 'visibility', numHistoryShards: historyShards,
      datastores: { default: datastore(databaseUrl, 'temporal', storeConnections), visibility: datastore(databaseUrl, 'temporal_visibility', visibilityConnections) },
    },
    global: {
      membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' },
      tls: {
        internode: { server: asServer, client: asClient },
        frontend: { server: asServer, client: asClient },
        systemWorker: { ...client, client: asClient },
      },
    },
    services: Object.fromEntries(temporalServices.map((service) => [service, { rpc: { ...ports[service], bindOnIP: '127.0.0.1', ...(service === 'frontend' ? { httpPort } : {}) } }])),
    clusterMetadata: {
      enableGlobalNamespace: false, failoverVersionIncrement: 10, masterClusterName: 'active', currentClusterName: 'active',
      clusterInformation: { active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: address } },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    publicClient: { hostPort: address },
    dynamicConfigClient: { filepath: dynamicConfigFile, pollInterval: '10s' },
  };
}
