import { rmSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntilSettled } from '../../bench/week/deliveryCounts';
import { openDatabase, type Database } from '../../db/database';
import { startCluster, type Cluster, type ClusterOptions } from '../../local/cluster/cluster';
import { errorMessage } from '../../local/errors';
import { readOptions } from '../../local/options';
import { ProcessRecord } from '../../local/processRecord';
import type { Progress } from '../../local/progress';
import { projectRoot } from '../../local/projectRoot';
import { supervisedLauncher } from '../../local/supervise';
import { pause } from '../../local/waitUntil';
import { startReceiver, type Receiver } from '../support/receiver';
import { startTcpProxy, type TcpProxy } from '../support/tcpProxy';
import { Caller } from '../upgrade/calls';
import { startLoad } from '../upgrade/load';
import { openSchool, type School } from '../upgrade/school';
import { connectionOwner } from './connectionOwner';
import { effectsOf } from './effects';
import { figuresOf } from './figures';
import type { Disturbance } from './repeats';
import type { Seen } from './rules';

/** A cluster under test, and a school that uses it. */
export interface Trial {
  cluster: Cluster;
  record: ProcessRecord;
  progress: Progress;
  caller: Caller;
  school: School;
  receiver: Receiver;
  failing: Receiver;
  database: Database;
  perSecond: number;
  /** The way of a worker to something, which can be cut. */
  linkOf(name: string, what: string): TcpProxy;
  /** `kill -9` of a process; returns when that was. */
  kill(name: string): number;
  end(): Promise<void>;
}

/** Is given what ends a cluster, before any of it is started. */
export type OnOpen = (end: () => Promise<void>) => void;

type TrialOptions = { progress: Progress; perSecond: number; onOpen: OnOpen } & Pick<ClusterOptions, 'apis' | 'workers' | 'environment' | 'codec' | 'source' | 'migrations'>;

const settleWithinMs = 150_000;
const quietMs = 4_000;
const mostFailuresNamed = 10;

/** Starts a cluster in `.local/cluster-test`, whose workers reach Postgres and Temporal through proxies of their own, and opens a school. */
export async function openTrial({ progress, perSecond, onOpen, environment = {}, ...sizes }: TrialOptions): Promise<Trial> {
  const localDir = join(projectRoot(), '.local', 'cluster-test');
  const { record } = await ProcessRecord.claim(join(projectRoot(), '.local', 'cluster-test.processes.json'));
  rmSync(localDir, { recursive: true, force: true });
  mkdirSync(localDir, { recursive: true });
  const stopping = new AbortController();
  const proxies = new Map<string, TcpProxy>();
  const [receiver, failing] = [await startReceiver(), await startReceiver()];
  failing.respond = () => 500;
  let cluster: Cluster | undefined;
  let database: Database | undefined;
  let ended = false;
  const end = async (): Promise<void> => {
    if (ended) return;
    ended = true;
    stopping.abort(new Error('Stopping'));
    record.close();
    await database?.close().catch(() => undefined);
    await cluster?.stop();
    await record.release(2_000);
    await Promise.all([...proxies.values()].map((proxy) => proxy.close()));
    await Promise.all([receiver.close(), failing.close()]);
  };
  onOpen(end);
  try {
    const options = await readOptions({ ...process.env, LOCAL_DIR: localDir, HOST: '127.0.0.1', PORT: '0', PLATFORM_PORT: '0', WORKER_PORT: '0', APP_PORT: '0', TEMPORAL_UI_PORT: '0' });
    const stack = { ...options, localDir, environment: { ...options.environment, WEBHOOK_TRUSTED_HOSTS: `${receiver.host},${failing.host}` } };
    const launcher = supervisedLauncher({ record, progress, signal: stopping.signal, onGiveUp: (error) => progress.log(`✗ ${error.message}`) });
    const started = await startCluster({
      stack, record, launcher, progress, ...sizes, environment: { SHUTDOWN_TIMEOUT_MS: '12000', LOG_LEVEL: 'warn', ...environment },
      link: async (name, what, address) => {
        if (!name.startsWith('worker')) return address;
        const key = `${name} ${what}`;
        const proxy = proxies.get(key) ?? await startTcpProxy(address);
        proxies.set(key, proxy);
        return proxy.address;
      },
    });
    cluster = started;
    receiver.senderOf = (port) => connectionOwner(port, started.services.workers.map((name) => [name, record.pidOf(name) ?? 0]));
    database = await openDatabase(started.ownerDatabaseUrl, 2, () => undefined);
    const caller = new Caller('all');
    const school = await progress.step('School', () => openSchool(caller, { apiUrl: started.apiUrl, platformUrl: started.platformUrl, environment: { PLATFORM_TOKEN: started.platformToken }, stores: { mailDir: started.mailDir } }, { taking: receiver, failing }));
    return {
      cluster: started, record, progress, caller, school, receiver, failing, database, perSecond, end,
      linkOf: (name, what) => {
        const proxy = proxies.get(`${name} ${what}`);
        if (proxy === undefined) throw new Error(`${name} has no way of its own to ${what}`);
        return proxy;
      },
      kill: (name) => {
        const pid = record.pidOf(name);
        if (pid === undefined) throw new Error(`${name} does not run`);
        process.kill(-pid, 'SIGKILL');
        return Date.now();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/**
 * Runs `disturb` under load, waits for the end of everything, and returns what was seen; {@link watchLeases} has to run. Deliveries of
 * the held endpoints stay open, as those of the failing receiver do.
 */
export async function underLoad(trial: Trial, scenario: string, disturb: (disturbances: Disturbance[]) => Promise<void>, heldEndpointIds: readonly string[] = []): Promise<Seen> {
  const { caller, school, receiver, database, progress } = trial;
  caller.phase = scenario;
  const since = new Date();
  const disturbances: Disturbance[] = [];
  const load = startLoad(school, trial.perSecond);
  await progress.step(scenario, async () => {
    try {
      await pause(quietMs);
      await disturb(disturbances);
      await pause(quietMs);
    } finally {
      await load.stop();
    }
  });
  caller.phase = 'between';
  for (const { operation, message } of caller.failed.filter(({ phase }) => phase === scenario).slice(0, mostFailuresNamed)) progress.log(`  ${operation} failed: ${message}`);
  const settled = await waitUntilSettled(database.sql, [school.failingEndpointId, ...heldEndpointIds], settleWithinMs).then(() => true, (error: unknown) => {
    progress.log(`  ${errorMessage(error)}`);
    return false;
  });
  const effects = await effectsOf(database.sql, school, receiver, load.created, disturbances, since);
  return { scenario, ...figuresOf(caller, scenario), ...effects, settled };
}
