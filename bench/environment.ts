import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '../db/migrate';
import { openDatabase, type Database } from '../db/database';
import { readSettings } from '../config/settings';
import type { Domain } from '../domain/context';
import { newId } from '../domain/ids';
import { InstitutionEntity } from '../db/entities/institution';
import { createInstitution } from '../domain/institutions/createInstitution';
import { createKey } from '../domain/keys/createKey';
import { scopes } from '../domain/scopes';
import { createSecretBox } from '../domain/secrets/secretBox';
import { transact } from '../domain/transact';
import { bringUp, launchOnce } from '../local/launch';
import { readOptions } from '../local/options';
import { ProcessRecord } from '../local/processRecord';
import { startLog, type RunningProcess } from '../local/processes';
import { createProgress } from '../local/progress';
import { projectRoot } from '../local/projectRoot';
import { requireSecrets } from '../local/secrets';
import { serviceEnvironment } from '../local/services';
import { StopList } from '../local/stopList';
import { bringUpStores, logFileOf, type Means, type Stores } from '../local/stores';

/** One key may ask 6,000 times a minute; a bench spreads its load over as many as an institution may have. */
const keysInAll = 25;
const stopWithinMs = 5_000;

/** Where the bench's receiver listens, under the names of ten endpoints' hosts. */
export const receiverPort = 4110;
const receiverHosts = [`127.0.0.1:${receiverPort}`];

/** What a transaction needs of a process. */
export type BenchDomain = Pick<Domain, 'database' | 'secrets' | 'onCommitted'>;

/** Stores of the bench's own with durable settings, and the programs that are measured against each other. */
export interface BenchEnvironment {
  stores: Stores;
  database: Database;
  domain: BenchDomain;
  institutionId: string;
  loginDomain: string;
  keys: string[];
  apiUrl: string;
  /** Starts a compiled program of the project and waits for `http://127.0.0.1:<port><path>` to answer. */
  program(name: string, entry: string, environment: NodeJS.ProcessEnv, health: string): Promise<RunningProcess>;
  startApi(): Promise<RunningProcess>;
  startWorker(): Promise<RunningProcess>;
  stop(): Promise<void>;
}

async function answers(url: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
  await response.body?.cancel();
}

/** Brings up empty stores under `.local/bench` and an approved institution with 25 keys. */
export async function bringUpBench(): Promise<BenchEnvironment> {
  const localDir = join(projectRoot(), '.local', 'bench');
  rmSync(localDir, { recursive: true, force: true });
  mkdirSync(join(localDir, 'logs'), { recursive: true });
  const options = await readOptions({ ...process.env, LOCAL_DIR: localDir, PORT: '0', PLATFORM_PORT: '0', WORKER_PORT: '0', TEMPORAL_UI_PORT: '0' });
  const { record } = await ProcessRecord.claim(join(localDir, 'processes.json'));
  const stops = new StopList();
  const means: Means = {
    options: { ...options, localDir },
    secrets: requireSecrets(localDir),
    record,
    launcher: launchOnce(record),
    progress: createProgress((line) => process.stderr.write(`${line}\n`), 'short'),
    stops,
  };
  const stores = await bringUpStores(means);
  await migrate(stores.databaseUrl);
  const database = await openDatabase(stores.databaseUrl, 10, (error) => process.stderr.write(`${error.message}\n`));
  const services: NodeJS.ProcessEnv = { ...serviceEnvironment(means, stores), WEBHOOK_TRUSTED_HOSTS: receiverHosts.join(','), LOG_LEVEL: 'info' };
  const settings = readSettings(services);
  const domain: BenchDomain = {
    database,
    secrets: createSecretBox(settings.encryptionKeys, settings.fingerprintKey),
    onCommitted: () => undefined,
  };
  const { institutionId, loginDomain, keys } = await institution(domain);
  const program: BenchEnvironment['program'] = (name, entry, environment, health) => {
    const logFile = logFileOf(means.options, name);
    startLog(logFile);
    return bringUp(
      {
        name,
        program: process.execPath,
        args: [join(__dirname, '..', entry)],
        cwd: projectRoot(),
        env: { ...services, ...environment },
        logFile,
        stopSignal: 'SIGTERM',
        readyWithinMs: 30_000,
        ready: () => answers(health),
      },
      record,
    );
  };
  return {
    stores,
    database,
    domain,
    institutionId,
    loginDomain,
    keys,
    apiUrl: `http://127.0.0.1:${options.port}/v1`,
    program,
    startApi: () => program('api', 'api/main.js', {}, `http://127.0.0.1:${options.platformPort}/healthz`),
    startWorker: () => program('worker', 'activities/main.js', {}, `http://127.0.0.1:${options.workerPort}/healthz`),
    stop: async () => {
      await database.close();
      record.close();
      await stops.stopAll(() => undefined);
      await record.release(stopWithinMs);
    },
  };
}

async function institution(domain: BenchDomain): Promise<{ institutionId: string; loginDomain: string; keys: string[] }> {
  const institutionId = newId('ins');
  const loginDomain = 'bench.example';
  const caller = { institutionId, now: new Date() };
  await transact(domain, caller, (tx) =>
    createInstitution(tx, { name: 'Bench', login_domain: loginDomain, admin_email: 'admin@bench.example', admin_name: 'Admin' }),
  );
  await domain.database.manager.update(InstitutionEntity, { id: institutionId }, { status: 'approved' });
  const keys: string[] = [];
  for (let nth = 1; nth <= keysInAll; nth += 1) {
    const wanted = { name: `bench ${nth}`, scopes: scopes.map(({ scope }) => scope), rate_limit_per_min: 6_000 };
    keys.push((await transact(domain, caller, (tx) => createKey(tx, 'platform', wanted))).apiKey);
  }
  return { institutionId, loginDomain, keys };
}
