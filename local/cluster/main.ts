import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { removeConnection, writeConnection } from '../connection';
import { ensureDemo } from '../demoInstitution';
import { errorMessage } from '../errors';
import { runInForeground } from '../foreground';
import { readOptions, recordFilePath, requiredPorts } from '../options';
import { requireFreePorts } from '../ports';
import { ProcessRecord } from '../processRecord';
import { createProgress } from '../progress';
import { startCluster, type Cluster } from './cluster';
import { connectionOf, screenOf } from './screen';

const progress = createProgress((line) => process.stdout.write(`${line}\n`), 'every step');

/** `npm run cluster`: everything that an installation on several machines has, on this one. */
async function main(): Promise<number> {
  const options = await readOptions(process.env);
  const localDir = join(options.localDir, 'cluster');
  mkdirSync(join(localDir, 'logs'), { recursive: true });
  const { record, leftovers } = await ProcessRecord.claim(recordFilePath(localDir));
  if (leftovers.length > 0) progress.log(`  An earlier run was killed; ended what it left: ${leftovers.join(', ')}`);
  removeConnection(localDir);
  let cluster: Cluster | undefined;
  return runInForeground({
    record,
    progress,
    start: async (launcher, signal) => {
      await requireFreePorts(requiredPorts(options));
      const stack = { ...options, localDir };
      cluster = await startCluster({ stack, record, launcher, progress });
      const { apiUrl, platformUrl, platformToken } = cluster;
      const demo = await progress.step('Demo institution', () => ensureDemo({ localDir, apiUrl, platformUrl, platformToken }));
      if (signal.aborted) return;
      const connection = connectionOf(stack, cluster, demo);
      writeConnection(localDir, connection);
      progress.log(screenOf(connection, localDir));
    },
    stop: async () => {
      removeConnection(localDir);
      await cluster?.stop();
    },
  });
}

main().then((code) => process.exit(code), (error: unknown) => {
  process.stderr.write(`✗ ${errorMessage(error)}\n`);
  process.exit(1);
});
