import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { migrate } from '../db/migrate';
import { openDatabase, type Database } from '../db/database';
import { readSettings } from '../config/settings';
import { createSecretBox } from '../domain/secrets/secretBox';
import { startUntilReady, type Launch } from '../local/launch';
import { readOptions } from '../local/options';
import { requireFreePorts } from '../local/ports';
import { ProcessRecord } from '../local/processRecord';
import { beginLog, type RunningProcess } from '../local/processes';
import { createProgress } from '../local/progress';
import { projectRoot } from '../local/projectRoot';
import { ensureSecrets } from '../local/secrets';
import { serviceEnvironment } from '../local/apiAndWorker';
import { StopList } from '../local/stopList';
import { startStores, logFilePath, type StackDeps, type Stores } from '../local/stores';
import { createBenchInstitution, type BenchDomain, type BenchInstitution } from './institutions';

const stopWithinMs = 5_000;

/** Where the receiver of the webhook benches accepts deliveries. */
export const receiverPort = 4110;
/** Where the bare handler listens. */
export const barePort = 4111;
/** Where the receiver is controlled, also while it accepts no deliveries. */
export const receiverControlPort = 4112;
/** The inspector ports of API and worker, used by benches that measure their memory. */
export const inspectorPorts = { api: 4113, worker: 4114 };
const receiverHosts = [`127.0.0.1:${receiverPort}`, `127.0.0.2:${receiverPort}`];

/** Stores of the bench's own with durable settings, and the programs that are measured against each other. */
export interface BenchEnvironment {
  stores: Stores;
  database: Database;
  domain: BenchDomain;
  /** The first institution, used by every bench that needs no other. */
  institutionId: string;
  keys: string[];
  /** Creates another institution, with a unique name. */
  institution(name: string, keyCount?: number): Promise<BenchInstitution>;
  apiUrl: string;
  /** The environment variables of services. */
  services: NodeJS.ProcessEnv;
  /** The folder of stores that are kept between runs; null if they are of this run alone. */
  keptFolder: string | null;
  /** The process ids of stores and of programs started by benches, by name. */
  pids: ReadonlyMap<string, number>;
  /** Starts a compiled program of the project and waits for `http://127.0.0.1:<port><path>` to respond. */
  program(name: string, entry: string, environment: NodeJS.ProcessEnv, health: string): Promise<RunningProcess>;
  /** Starts the API, and the worker too, optionally with further environment variables. */
  startApi(environment?: NodeJS.ProcessEnv): Promise<RunningProcess>;
  startWorker(environment?: NodeJS.ProcessEnv): Promise<RunningProcess>;
  stop(): Promise<void>;
}

async function checkResponds(url: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
  await response.body?.cancel();
}

/** Fails if another run uses this machine: its deliveries would be counted as this run's. */
async function requireExclusiveMachine(): Promise<void> {
  const ports = [receiverPort, barePort, receiverControlPort, inspectorPorts.api, inspectorPorts.worker].map((port) => ({ variable: `benchmarks ${port}`, host: '127.0.0.1', port }));
  await requireFreePorts(ports).catch((error: unknown) => {
    throw new Error('Another benchmark is running on this machine, or a port from 4110 to 4114 is in use; run one at a time', { cause: error });
  });
}

/**
 * Starts stores with an approved institution with 25 keys: empty ones under `.local/bench`, or those in the folder that
 * `BENCH_DATA` names, which keeps them for later runs.
 */
export async function startBenchEnvironment(): Promise<BenchEnvironment> {
  await requireExclusiveMachine();
  const keptFolder = process.env.BENCH_DATA ? resolve(process.env.BENCH_DATA) : null;
  const localDir = keptFolder ?? join(projectRoot(), '.local', 'bench');
  if (keptFolder === null) rmSync(localDir, { recursive: true, force: true });
  // Kept stores have the institutions of earlier runs, whose names are taken.
  const nameOf = (name: string): string => (keptFolder === null ? name : `${name}-${Date.now().toString(36)}`);
  mkdirSync(join(localDir, 'logs'), { recursive: true });
  const options = await readOptions({ ...process.env, LOCAL_DIR: localDir, PORT: '0', PLATFORM_PORT: '0', WORKER_PORT: '0', APP_PORT: '0', TEMPORAL_UI_PORT: '0' });
  const { record } = await ProcessRecord.claim(join(localDir, 'processes.json'));
  const stops = new StopList();
  const pids = new Map<string, number>();
  const launch = async (wanted: Launch): Promise<RunningProcess> => {
    beginLog(wanted.logFile);
    const running = await startUntilReady(wanted, record);
    pids.set(wanted.name, running.pid);
    return running;
  };
  const context: StackDeps = {
    options: { ...options, localDir },
    secrets: ensureSecrets(localDir),
    record,
    launcher: launch,
    progress: createProgress((line) => process.stderr.write(`${line}\n`), 'short'),
    stops,
    postgresSettings: { shared_buffers: process.env.BENCH_SHARED_BUFFERS ?? '128MB' },
  };
  const stores = await startStores(context);
  await migrate(stores.ownerDatabaseUrl, stores.databaseUrl);
  const database = await openDatabase(stores.ownerDatabaseUrl, 10, (error) => process.stderr.write(`${error.message}\n`));
  const services: NodeJS.ProcessEnv = { ...serviceEnvironment(context, stores), WEBHOOK_TRUSTED_HOSTS: receiverHosts.join(','), LOG_LEVEL: 'info' };
  const settings = readSettings(services);
  const domain: BenchDomain = {
    database,
    secrets: createSecretBox(settings.keys),
    onCommitted: () => undefined,
  };
  const { id: institutionId, keys } = await createBenchInstitution(domain, nameOf('first'));
  const program: BenchEnvironment['program'] = (name, entry, environment, health) =>
    launch({
      name,
      program: process.execPath,
      args: [join(__dirname, '..', entry)],
      cwd: projectRoot(),
      env: { ...services, ...environment },
      logFile: logFilePath(context.options, name),
      stopSignal: 'SIGTERM',
      readyWithinMs: 30_000,
      ready: () => checkResponds(health),
    });
  return {
    stores,
    database,
    domain,
    institutionId,
    keys,
    institution: (name, keyCount) => createBenchInstitution(domain, nameOf(name), keyCount),
    keptFolder,
    services,
    pids,
    apiUrl: `http://127.0.0.1:${options.port}/v1`,
    program,
    startApi: (environment = {}) => program('api', 'api/main.js', environment, `http://127.0.0.1:${options.platformPort}/healthz`),
    startWorker: (environment = {}) => program('worker', 'worker/main.js', environment, `http://127.0.0.1:${options.workerPort}/healthz`),
    stop: async () => {
      await database.close();
      record.close();
      await stops.stopAll(() => undefined);
      await record.release(stopWithinMs);
    },
  };
}
