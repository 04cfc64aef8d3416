import { join } from 'node:path';
import type { ServiceSource } from '../../../local/cluster/services';
import { ProcessRecord } from '../../../local/processRecord';
import { runToEnd } from '../../../local/processes';
import type { Progress } from '../../../local/progress';
import { projectRoot } from '../../../local/projectRoot';
import { pause } from '../../../local/waitUntil';
import { openTemporal } from '../../../outbound/temporal/engine';
import { beginLongWork, endLongWork } from '../../upgrade/longWork';
import { beginRecentWork, doShortWork, endRecentWork } from '../../upgrade/recentWork';
import { buildRelease, isBefore, programOf, releaseBefore, thisRelease, type Release } from '../../upgrade/release';
import { readWorkflowTasks } from '../../upgrade/results';
import { watchLeases } from '../leases';
import type { ClusterTestOptions } from '../options';
import { inFlightAtEnd, type Disturbance } from '../repeats';
import { brokenRules } from '../rules';
import { startTlsForwarder, type TlsForwarder } from '../tlsForwarder';
import { openTrial, underLoad, type OnOpen, type Trial } from '../trial';
import type { Outcome } from './index';

const migrateWithinMs = 10 * 60_000;
const stopGraceMs = 30_000;
const limitMinutes = 2;
/** There and back, twice. */
const rolls = 4;
/** Releases before it speak TLS with public certificates alone, and read no encrypted payloads. */
const firstSecured = 'v0.14.0';
/** Releases before it stop without `/readyz` saying so before, so the load balancer is given the state of each. */
const firstDraining = 'v0.16.0';
/** What HAProxy has sent to an API arrives within it. */
const underWayMs = 1_000;

/** What a release before {@link firstSecured} finds in its environment: nothing of TLS, and a way of its own to Temporal. */
const plainEnvironment = (temporalAddress: string): NodeJS.ProcessEnv => ({
  TEMPORAL_ADDRESS: temporalAddress,
  TEMPORAL_TLS: 'false',
  TEMPORAL_TLS_SERVER_NAME: '',
  TEMPORAL_TLS_CA_FILE: '',
  TEMPORAL_TLS_CERT_FILE: '',
  TEMPORAL_TLS_KEY_FILE: '',
});

async function build(tag: string, progress: Progress): Promise<Release> {
  const { record } = await ProcessRecord.claim(join(projectRoot(), '.local', 'releases.processes.json'));
  try {
    return await buildRelease(tag, { record, progress, folder: join(projectRoot(), '.local', 'releases'), logs: join(projectRoot(), '.local') });
  } finally {
    await record.release(2_000);
  }
}

/** Runs the migrations of a release in a process of their own, as operators do: the failover agent of this one goes on meanwhile. */
async function migrateWith(release: Release, ownerUrl: string, serviceUrl: string): Promise<void> {
  const { record } = await ProcessRecord.claim(join(projectRoot(), '.local', 'migrations.processes.json'));
  await runToEnd({
    name: `migrations of ${release.name}`, program: process.execPath, args: [programOf(release, 'migrate')], cwd: release.folder, stopSignal: 'SIGTERM',
    env: { ...process.env, DATABASE_URL: serviceUrl, DATABASE_DIRECT_URL: serviceUrl, MIGRATION_DATABASE_URL: ownerUrl }, logFile: join(projectRoot(), '.local', 'migrations.log'),
  }, record, migrateWithinMs).finally(() => record.release(2_000));
}

/** What replaces the processes, and whether an API is taken out of HAProxy before it is stopped. */
interface Roll {
  source: ServiceSource;
  name: string;
  leavesFront: boolean;
}

/** Replaces every process by one of the other release, one by one, workers first; `onFirst` begins once the first one is replaced. */
async function rollOut({ cluster: { services, setApiState }, progress }: Trial, { source, name, leavesFront }: Roll, disturbances: Disturbance[], onFirst: () => Promise<void>): Promise<void> {
  let begun: Promise<void> | undefined;
  for (const member of [...services.workers, ...services.apis.map((api) => api.name)]) {
    await progress.step(`    ${member} of ${name}`, async () => {
      const isTakenOut = leavesFront && !services.workers.includes(member);
      if (isTakenOut) {
        await setApiState(member, 'drain');
        await pause(underWayMs);
      }
      await services.stop(member, stopGraceMs);
      if (services.workers.includes(member)) disturbances.push(inFlightAtEnd(member, Date.now()));
      await services.start(member, source);
      if (isTakenOut) await setApiState(member, 'ready');
    });
    begun ??= onFirst();
    begun.catch(() => undefined); // Awaited below.
  }
  await begun;
}

/** From the release before to this one and back, twice, under load, with work of both that goes on. */
export async function rollingUpgrade(progress: Progress, options: ClusterTestOptions, onOpen: OnOpen): Promise<Outcome[]> {
  const now = thisRelease();
  const old = await build(options.from ?? releaseBefore(now), progress);
  const isSecured = !isBefore(old.name, firstSecured);
  let forwarder: TlsForwarder | undefined;
  let oldSource: ServiceSource = { folder: old.folder };
  const trial = await openTrial({
    progress,
    perSecond: options.perSecond,
    onOpen,
    codec: isSecured,
    migrations: (ownerUrl, serviceUrl) => migrateWith(old, ownerUrl, serviceUrl),
    source: async ({ temporal, certificates }) => {
      if (isSecured) return oldSource;
      forwarder = await startTlsForwarder(temporal.address, certificates);
      oldSource = { folder: old.folder, environment: plainEnvironment(forwarder.address) };
      return oldSource;
    },
  }).catch(async (error: unknown) => {
    await forwarder?.close();
    throw error;
  });
  const { cluster, caller, school, receiver, failing, database } = trial;
  const { temporal: { address, namespace }, certificates: { caFile, serverName, client } } = cluster;
  const temporal = openTemporal({ address, namespace, taskQueue: 'institution', tls: { caFile, serverName, client }, apiKeyFile: null });
  try {
    const work = await progress.step('Work that goes on', () => beginLongWork(school, temporal, limitMinutes));
    const recentDeps = { school, caller, apiUrl: cluster.apiUrl, temporal };
    const recentWork = await progress.step('Work that goes on, of newer kinds', () => beginRecentWork(recentDeps, receiver));
    const seen = await underLoad(trial, `rolling upgrade from ${old.name} and back, twice`, async (disturbances) => {
      await progress.step('    migrations', () => migrateWith(now, cluster.ownerDatabaseUrl, cluster.directUrl));
      await watchLeases(database.sql);
      for (let roll = 0; roll < rolls; roll += 1) {
        const isForward = roll % 2 === 0;
        const next: Roll = { ...(isForward ? { source: { folder: now.folder }, name: 'this release' } : { source: oldSource, name: old.name }), leavesFront: isForward && isBefore(old.name, firstDraining) };
        // Workflows that end within moments begin with processes of both releases there.
        await progress.step(`    roll ${roll + 1} of ${rolls}: ${next.name}`, () =>
          rollOut(trial, next, disturbances, () => doShortWork(recentDeps, recentWork)));
      }
    }, [recentWork.pausedEndpointId]);
    const ends = await progress.step('What was begun before ends', () => endLongWork(school, work, { sql: database.sql, temporal, failing, mailDir: cluster.mailDir, limitMinutes }));
    ends.push(...await endRecentWork(recentDeps, recentWork, rolls, database.sql));
    const workflows = await progress.step('Histories of workflows', () => readWorkflowTasks(temporal));
    const taskFailures = workflows.filter(({ task_failures, failed }) => task_failures + failed > 0);
    return [{
      seen: { ...seen, workflow_task_failures: taskFailures.reduce((sum, { task_failures }) => sum + task_failures, 0), long_work: ends.map(({ work: what, ok }) => `${what} ${ok ? '✓' : '✗'}`).join('; ') },
      broken: [
        ...brokenRules(seen),
        ...ends.filter(({ ok }) => !ok).map(({ work: what, result }) => `${what}: ${result}`),
        ...taskFailures.map(({ type, task_failures, failed, causes }) => `${type}: ${task_failures} failed workflow tasks, ${failed} failed workflows: ${causes}`),
      ],
    }];
  } finally {
    await temporal.close();
    await trial.end();
    await forwarder?.close();
  }
}
