import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { serviceEnvironment } from '../../local/apiAndWorker';
import { startUntilReady, type Launch } from '../../local/launch';
import { readOptions } from '../../local/options';
import { freePort } from '../../local/ports';
import { ProcessRecord } from '../../local/processRecord';
import { runToEnd, beginLog, type RunningProcess } from '../../local/processes';
import { createProgress, type Progress } from '../../local/progress';
import { projectRoot } from '../../local/projectRoot';
import { ensureSecrets } from '../../local/secrets';
import { StopList } from '../../local/stopList';
import { startStores, type StackDeps, type Stores } from '../../local/stores';
import { startLoadBalancer, type LoadBalancer } from '../support/loadBalancer';
import { programOf, type Release } from './release';

/** A process of the service. */
export interface Member {
  release: string;
  origin: string;
  platformOrigin: string;
  running: RunningProcess;
}

/** When a process was asked to stop, and when it had ended. */
export interface Stop {
  what: string;
  from: number;
  to: number;
  code: number | null;
}

const readyWithinMs = 120_000;
const stopGraceMs = 30_000;
const migrateWithinMs = 60 * 60_000;

async function requireReady(url: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(3_000) });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
}

/** Stores, and processes of several releases that share them, behind one address. */
export class Service {
  readonly stops: Stop[] = [];
  private readonly apis: Member[] = [];
  private readonly workers: Member[] = [];
  private started = 0;

  private constructor(
    readonly record: ProcessRecord,
    readonly progress: Progress,
    readonly logs: string,
    readonly stores: Stores,
    readonly environment: NodeJS.ProcessEnv,
    private readonly inPublic: LoadBalancer,
    private readonly inPlatform: LoadBalancer,
  ) {}

  /** Starts empty stores in `.local/upgrade`; `onOpen` is given what ends everything, before anything is started. */
  static async open(progress: Progress, trustedHosts: readonly string[], onOpen: (end: () => Promise<void>) => void): Promise<Service> {
    const localDir = join(projectRoot(), '.local', 'upgrade');
    const { record } = await ProcessRecord.claim(join(projectRoot(), '.local', 'upgrade.processes.json'));
    const stops = new StopList();
    onOpen(async () => {
      record.close();
      await stops.stopAll(() => undefined);
      await record.release(5_000);
    });
    rmSync(localDir, { recursive: true, force: true });
    const logs = join(localDir, 'logs');
    mkdirSync(logs, { recursive: true });
    const [inPublic, inPlatform] = [await startLoadBalancer(0), await startLoadBalancer(0)];
    stops.add('mail', () => Promise.all([inPublic.close(), inPlatform.close()]).then(() => undefined));
    const options = await readOptions({ ...process.env, LOCAL_DIR: localDir, PORT: '0', PLATFORM_PORT: '0', WORKER_PORT: '0', APP_PORT: '0', TEMPORAL_UI_PORT: '0' });
    const deps: StackDeps = {
      options: { ...options, localDir, publicBaseUrl: `http://127.0.0.1:${inPublic.port}/v1` },
      secrets: ensureSecrets(localDir),
      record,
      launcher: (launch) => Service.launch(launch, record),
      progress: createProgress(progress.log, 'short'),
      stops,
    };
    const stores = await startStores(deps);
    const key = (): string => randomBytes(32).toString('base64');
    const environment = {
      ...serviceEnvironment(deps, stores),
      WEBHOOK_TRUSTED_HOSTS: trustedHosts.join(','),
      // The form of keys that every release reads.
      MASTER_KEYS: '',
      ENCRYPTION_KEYS: `upgrade-1:${key()}`,
      FINGERPRINT_KEY: key(),
      SHUTDOWN_TIMEOUT_MS: '12000',
    };
    return new Service(record, progress, logs, stores, environment, inPublic, inPlatform);
  }

  private static async launch(launch: Launch, record: ProcessRecord): Promise<RunningProcess> {
    beginLog(launch.logFile);
    return startUntilReady(launch, record);
  }

  /** The public API, ends with `/v1`. */
  get apiUrl(): string {
    return `http://127.0.0.1:${this.inPublic.port}/v1`;
  }

  /** Ends with `/platform/v1`. */
  get platformUrl(): string {
    return `http://127.0.0.1:${this.inPlatform.port}/platform/v1`;
  }

  /** Runs the migrations of a release, as `npm run migrate` does; resolves when they are done, with what they wrote. */
  async migrate(release: Release): Promise<void> {
    const environment = { ...this.environment, DATABASE_URL: this.stores.databaseUrl, MIGRATION_DATABASE_URL: this.stores.ownerDatabaseUrl };
    await runToEnd({
      name: `migrations of ${release.name}`,
      program: process.execPath,
      args: [programOf(release, 'migrate')],
      cwd: release.folder,
      env: environment,
      logFile: join(this.logs, `migrate-${release.name}.log`),
      stopSignal: 'SIGTERM',
    }, this.record, migrateWithinMs);
  }

  private async start(release: Release, name: 'api' | 'worker'): Promise<Member> {
    const [port, platformPort, appPort] = [await freePort(), await freePort(), await freePort()];
    const platformOrigin = `http://127.0.0.1:${platformPort}`;
    this.started += 1;
    const running = await Service.launch({
      name: `${name} of ${release.name}`,
      program: process.execPath,
      args: [programOf(release, name)],
      cwd: release.folder,
      env: { ...this.environment, PORT: String(port), PLATFORM_PORT: String(platformPort), WORKER_PORT: String(platformPort), APP_PORT: String(appPort) },
      logFile: join(this.logs, `${String(this.started).padStart(2, '0')}-${name}-${release.name}.log`),
      stopSignal: 'SIGTERM',
      readyWithinMs,
      ready: () => requireReady(`${platformOrigin}/readyz`),
    }, this.record);
    return { release: release.name, origin: `http://127.0.0.1:${port}`, platformOrigin, running };
  }

  private async stop(what: string, { running }: Member): Promise<void> {
    const from = Date.now();
    await running.stop(stopGraceMs);
    this.stops.push({ what, from, to: Date.now(), code: (await running.exited).code });
  }

  /** Starts another worker, of a release. */
  async startWorker(release: Release): Promise<void> {
    this.workers.push(await this.start(release, 'worker'));
  }

  /** Ends the worker that has run longest. */
  async stopOldestWorker(): Promise<void> {
    const worker = this.workers.shift();
    if (worker !== undefined) await this.stop(`worker of ${worker.release}`, worker);
  }

  /** Starts another API, of a release, to which calls are sent from now on. */
  async startApi(release: Release): Promise<void> {
    this.apis.push(await this.start(release, 'api'));
    this.share();
  }

  /** Sends the API that has run longest no more calls, waits for those under way, and ends it. */
  async stopOldestApi(): Promise<void> {
    const api = this.apis.shift();
    if (api === undefined) return;
    this.share();
    await Promise.all([this.inPublic.drained(api.origin), this.inPlatform.drained(api.platformOrigin)]);
    await this.stop(`API of ${api.release}`, api);
  }

  private share(): void {
    this.inPublic.origins.splice(0, this.inPublic.origins.length, ...this.apis.map(({ origin }) => origin));
    this.inPlatform.origins.splice(0, this.inPlatform.origins.length, ...this.apis.map(({ platformOrigin }) => platformOrigin));
  }
}
