import { Connection, type ConnectionOptions } from '@temporalio/client';
import Joi from 'joi';
import { parseTemporalSettings, temporalVariables } from '../../config/temporalSettings';
import { readCredentials } from '../../outbound/temporal/credentials';
import type { Launcher } from '../launch';
import { freePort } from '../ports';
import type { ProcessRecord } from '../processRecord';
import type { Progress } from '../progress';
import { waitUntil } from '../waitUntil';
import { searchAttributeNames } from '../../outbound/temporal/searchAttributes';
import { setHistoryRetention, ensureNamespace } from './temporalNamespace';
import { temporalProgram } from './temporalProgram';

export interface TemporalOptions {
  /** A server named by TEMPORAL_ADDRESS here is used as it is. */
  environment: NodeJS.ProcessEnv;
  /** Made when missing. A server of ours always has `default` as well. */
  namespaces: readonly string[];
  /** Where a server of ours keeps its histories; in memory when undefined. */
  databaseFile?: string;
  /** Settings of that file, as SQLite's pragmas. */
  databaseSettings?: Record<string, string>;
  /** Serves the Web UI on this port; without it there is none. */
  uiPort?: number;
  logFile: string;
  record: ProcessRecord;
  launcher: Launcher;
  progress: Progress;
}

export interface Temporal {
  address: string;
  stop(graceMs: number): Promise<void>;
}

/** Where Temporal is, and what it is reached by. */
type Reached = Pick<ConnectionOptions, 'address' | 'tls' | 'apiKey'>;

async function withConnection<T>(reached: Reached, work: (connection: Connection) => Promise<T>): Promise<T> {
  // Without the retries of the client, which go on after the connection is closed: the caller tries again.
  const connection = await Connection.connect({ ...reached, connectTimeout: 2_000, interceptors: [] });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** Returns how API and worker will reach the server that the environment names. Fails like them for a variable that is wrong. */
function reachedBy(environment: NodeJS.ProcessEnv): Reached {
  const checked = Joi.object<Record<string, unknown>>(temporalVariables).validate(environment, { stripUnknown: true });
  if (checked.error !== undefined) throw checked.error;
  const values: Record<string, unknown> = checked.value;
  const { temporalAddress, temporalTls, temporalApiKeyFile } = parseTemporalSettings((name) => String(values[name]), values.TEMPORAL_TLS === true);
  const { tls, apiKey } = readCredentials({ tls: temporalTls, apiKeyFile: temporalApiKeyFile });
  return { address: temporalAddress, tls: tls(), ...(apiKey === undefined ? {} : { apiKey }) };
}

async function useExistingServer(environment: NodeJS.ProcessEnv, namespaces: readonly string[]): Promise<Temporal> {
  const reached = reachedBy(environment);
  await waitUntil({
    what: 'The Temporal server of TEMPORAL_ADDRESS',
    withinMs: 15_000,
    check: () => withConnection(reached, async (connection) => {
      for (const namespace of namespaces) await ensureNamespace(connection, namespace);
    }),
  });
  return { address: reached.address ?? '', stop: async () => undefined };
}

/**
 * The server of TEMPORAL_ADDRESS; else a development server of our own on a free port, with the search attributes
 * registered and histories kept for 30 days.
 */
export async function startTemporal(options: TemporalOptions): Promise<Temporal> {
  const { environment, namespaces, databaseFile, databaseSettings = {}, uiPort } = options;
  if (environment.TEMPORAL_ADDRESS !== undefined) return useExistingServer(environment, namespaces);
  const program = await temporalProgram(options);
  const port = await freePort();
  const httpPort = await freePort();
  const metricsPort = await freePort();
  const address = `127.0.0.1:${port}`;
  const running = await options.progress.step('Temporal', () => options.launcher({
    name: 'temporal',
    program,
    args: [
      'server', 'start-dev', '--ip', '127.0.0.1', '--log-level', 'error',
      '--port', String(port), '--http-port', String(httpPort), '--metrics-port', String(metricsPort),
      ...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort), '--ui-ip', '127.0.0.1']),
      ...(databaseFile === undefined ? [] : ['--db-filename', databaseFile]),
      ...Object.entries(databaseSettings).flatMap(([name, value]) => ['--sqlite-pragma', `${name}=${value}`]),
      ...namespaces.flatMap((namespace) => ['--namespace', namespace]),
      ...searchAttributeNames.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
      // As deploy/temporal/dynamicconfig.yaml has them.
      '--dynamic-config-value', 'matching.enableFairness=true',
      '--dynamic-config-value', 'matching.numTaskqueueWritePartitions=1',
    ],
    env: environment,
    logFile: options.logFile,
    stopSignal: 'SIGTERM',
    readyWithinMs: 60_000,
    ready: () => withConnection({ address }, async (connection) => {
      for (const namespace of namespaces) await setHistoryRetention(connection, namespace);
    }),
  }));
  return { address, stop: (graceMs) => running.stop(graceMs) };
}
