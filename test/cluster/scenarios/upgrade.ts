import { join } from 'node:path';
import { migrate } from '../../../db/migrate';
import type { ServiceSource } from '../../../local/cluster/services';
import { ProcessRecord } from '../../../local/processRecord';
import { runToEnd } from '../../../local/processes';
import type { Progress } from '../../../local/progress';
import { projectRoot } from '../../../local/projectRoot';
import { openTemporal } from '../../../outbound/temporal/engine';
import { beginLongWork, endLongWork } from '../../upgrade/longWork';
import { buildRelease, programOf, releaseBefore, thisRelease, type Release } from '../../upgrade/release';
import { readWorkflowTasks } from '../../upgrade/results';
import type { ClusterTestOptions } from '../options';
import { startTlsForwarder, type TlsForwarder } from '../tlsForwarder';
import { brokenRules, openTrial, underLoad, type Trial } from '../trial';
import type { Outcome } from './index';

const migrateWithinMs = 10 * 60_000;
const stopGraceMs = 30_000;
const limitMinutes = 2;
/** There and back, twice. */
const rolls = 4;

async function build(tag: string, progress: Progress): Promise<Release> {
  const { record } = await ProcessRecord.claim(join(projectRoot(), '.local', 'releases.processes.json'));
  try {
    return await buildRelease(tag, { record, progress, folder: join(projectRoot(), '.local', 'releases'), logs: join(projectRoot(), '.local') });
  } finally {
    await record.release(2_000);
  }
}

/** Runs the migrations of a release in a process of their own. */
async function migrateWith(release: Release, ownerUrl: string, serviceUrl: string): Promise<void> {
  const { record } = await ProcessRecord.claim(join(projectRoot(), '.local', 'migrations.processes.json'));
  await runToEnd({
    name: `migrations of ${release.name}`, program: process.execPath, args: [programOf(release, 'migrate')], cwd: release.folder, stopSignal: 'SIGTERM',
    env: { ...process.env, DATABASE_URL: serviceUrl, DATABASE_DIRECT_URL: serviceUrl, MIGRATION_DATABASE_URL: ownerUrl }, logFile: join(projectRoot(), '.local', 'migrations.log'),
  }, record, migrateWithinMs).finally(() => record.release(2_000));
}

/** Replaces every process by one of the other release, one by one, workers first. */
async function rollOut({ cluster: { services }, progress }: Trial, source: ServiceSource, name: string): Promise<void> {
  for (const member of [...services.workers, ...services.apis.map((api) => api.name)]) {
    await progress.step(`    ${member} of ${name}`, async () => {
      await services.stop(member, stopGraceMs);
      await services.start(member, source);
    });
  }
}

/** From the release before to this one and back, twice, under load, with work of both that goes on. */
export async function rollingUpgrade(progress: Progress, options: ClusterTestOptions, onOpen: (trial: Trial) => void): Promise<Outcome[]> {
  const now = thisRelease();
  const old = await build(options.from ?? releaseBefore({ name: 'this checkout', folder: now.folder }), progress);
  let forwarder: TlsForwarder | undefined;
  let oldSource: ServiceSource = { folder: old.folder };
  const trial = await openTrial({
    progress,
    perSecond: options.perSecond,
    // Releases before 0.14.0 read no encrypted payloads: encryption is turned on once no process of them runs.
    codec: false,
    migrations: (ownerUrl, serviceUrl) => migrateWith(old, ownerUrl, serviceUrl),
    source: async ({ temporal, certificates }) => {
      // They speak TLS by public certificates alone.
      forwarder = await startTlsForwarder(temporal.address, certificates);
      oldSource = { folder: old.folder, environment: { TEMPORAL_TLS: 'false', TEMPORAL_ADDRESS: forwarder.address } };
      return oldSource;
    },
  });
  onOpen(trial);
  const { cluster, school, failing, database } = trial;
  const { temporal: { address, namespace }, certificates: { caFile, serverName, client } } = cluster;
  const temporal = openTemporal({ address, namespace, taskQueue: 'institution', tls: { caFile, serverName, client }, apiKeyFile: null });
  try {
    const work = await progress.step('Work that goes on', () => beginLongWork(school, temporal, limitMinutes));
    const seen = await underLoad(trial, `rolling upgrade from ${old.name} and back, twice`, async (disturbances) => {
      const from = Date.now();
      await progress.step('    migrations', () => migrate(cluster.ownerDatabaseUrl, cluster.directUrl));
      for (let roll = 0; roll < rolls; roll += 1) await rollOut(trial, roll % 2 === 0 ? { folder: now.folder } : oldSource, roll % 2 === 0 ? 'this release' : old.name);
      disturbances.push({ from, to: Date.now() });
    });
    const ends = await endLongWork(school, work, { sql: database.sql, temporal, failing, mailDir: cluster.mailDir, limitMinutes });
    const workflows = await readWorkflowTasks(temporal);
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
