import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { launchOnce } from '../../../local/launch';
import { withoutEmpty } from '../../../local/options';
import { startPgbouncer } from '../../../local/programs/pgbouncer';
import { startPostgres } from '../../../local/programs/postgres';
import { startRedis } from '../../../local/programs/redis';
import { findS3Server } from '../../../local/programs/s3Server';
import { startTemporal } from '../../../local/programs/temporal';
import { timeSkippingServer } from '../../../local/programs/timeSkippingServer';
import { createProgress } from '../../../local/progress';
import type { Addresses } from './addresses';
import { findChromium } from './chromium';
import type { TestRun } from './run';
import { provideTemplate } from './template';
import { bundleWorkflows } from './workflowBundle';

const temporalNamespacePrefix = 'test-w';
const environment = withoutEmpty(process.env);
/** How the set-up of a run says what it waits for. */
export const progress = createProgress((line) => process.stderr.write(`${line}\n`), 'short');

/** Nothing of a test run needs to outlive a crash of the machine. */
const unsafeFastSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_connections: '300',
};

async function startDatabase({ folder, record }: TestRun): Promise<Pick<Addresses, 'adminDatabaseUrl' | 'templateDatabase' | 'pgbouncerPort'>> {
  const { url } = await startPostgres({
    environment,
    dataDir: join(folder, 'postgres'),
    password: randomBytes(16).toString('hex'),
    database: 'postgres',
    settings: unsafeFastSettings,
    logFile: join(folder, 'postgres.log'),
    record,
    launcher: launchOnce(record),
    progress,
  });
  const templateDatabase = await provideTemplate(url, progress);
  if (environment.TEST_PGBOUNCER !== '1') return { adminDatabaseUrl: url, templateDatabase, pgbouncerPort: null };
  const pgbouncerPort = await startPgbouncer({
    environment,
    folder: join(folder, 'pgbouncer'),
    adminDatabaseUrl: url,
    // Databases of test files are dropped soon.
    settings: { server_idle_timeout: '5' },
    logFile: join(folder, 'pgbouncer.log'),
    record,
    launcher: launchOnce(record),
    progress,
  });
  return { adminDatabaseUrl: url, templateDatabase, pgbouncerPort };
}

/** Starts what the tests need, for so many workers at most; a failure stops what had started. */
export async function startStack(run: TestRun, workers: number): Promise<Addresses> {
  const { folder, record } = run;
  const source = (name: string) => ({
    environment, logFile: join(folder, `${name}.log`), record, progress, launcher: launchOnce(record),
  });
  const namespaces = Array.from({ length: workers }, (_, index) => `${temporalNamespacePrefix}${index + 1}`);
  const redis = startRedis(source('redis')).then(({ url }) => url);
  const parts = [
    startDatabase(run),
    redis,
    startTemporal({ ...source('temporal'), namespaces }).then(({ address }) => address),
    timeSkippingServer(source('test-server')),
    // One after the other: both may have to be installed.
    redis.then(() => findChromium(source('chromium'))),
    findS3Server(source('s3-server')),
    bundleWorkflows(folder, progress),
  ] as const;
  const [database, redisUrl, temporalAddress, timeSkippingServerPath, chromium, s3Server] = await Promise.all(parts)
    .catch(async (error: unknown) => {
      await run.endProcesses();
      // The other parts are to have ended before the run's folder goes.
      await Promise.allSettled(parts);
      throw error;
    });
  return {
    ...database,
    workers,
    redisUrl,
    temporalAddress,
    temporalNamespacePrefix,
    timeSkippingServer: timeSkippingServerPath,
    masterKeys: `test:${randomBytes(32).toString('base64')}`,
    platformToken: randomBytes(24).toString('hex'),
    chromium,
    s3Server,
    folder,
  };
}
