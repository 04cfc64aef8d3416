import { randomBytes } from 'node:crypto';
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from 'jest';
import { migrate } from '../../../db/migrate';
import { launchOnce } from '../../../local/launch';
import { withoutEmpty } from '../../../local/options';
import { startPostgres, withConnection } from '../../../local/programs/postgres';
import { startRedis } from '../../../local/programs/redis';
import { startTemporal } from '../../../local/programs/temporal';
import { timeSkippingServer } from '../../../local/programs/timeSkippingServer';
import { createProgress } from '../../../local/progress';
import { publishAddresses, type Addresses } from './addresses';
import { findChromium } from './chromium';
import { serviceUrlOf } from './database';
import { beginRun, type TestRun } from './run';
import { findS3Server } from './s3Program';
import { bundleWorkflows } from './workflowBundle';

const templateDatabase = 'institution_template';
const temporalNamespacePrefix = 'test-w';
const environment = withoutEmpty(process.env);
const progress = createProgress((line) => process.stderr.write(`${line}\n`), 'short');

/** Nothing of a test run needs to outlive a crash of the machine. */
const carelessSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_connections: '300',
};

const onDatabase = (url: string, name: string): string => {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
};

async function databases({ folder, record }: TestRun): Promise<string> {
  const { url } = await startPostgres({
    environment,
    dataDir: join(folder, 'postgres'),
    password: randomBytes(16).toString('hex'),
    database: 'postgres',
    settings: carelessSettings,
    logFile: join(folder, 'postgres.log'),
    record,
    launcher: launchOnce(record),
    progress,
  });
  await withConnection(url, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${templateDatabase} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${templateDatabase}`);
  });
  const template = onDatabase(url, templateDatabase);
  await progress.step('Migrating', () => migrate(template, serviceUrlOf(template)));
  return url;
}

async function bringUp(run: TestRun, workers: number): Promise<Addresses> {
  const { folder, record } = run;
  const source = (name: string) => ({
    environment, logFile: join(folder, `${name}.log`), record, progress, launcher: launchOnce(record),
  });
  const namespaces = Array.from({ length: workers }, (_, index) => `${temporalNamespacePrefix}${index + 1}`);
  const redis = startRedis(source('redis')).then(({ url }) => url);
  const parts = [
    databases(run),
    redis,
    startTemporal({ ...source('temporal'), namespaces }).then(({ address }) => address),
    timeSkippingServer(source('test-server')),
    // One after the other: both may have to be installed.
    redis.then(() => findChromium(source('chromium'))),
    findS3Server(source('s3-server')),
    bundleWorkflows(folder, progress),
  ] as const;
  const [adminDatabaseUrl, redisUrl, temporalAddress, timeSkippingServerPath, chromium, s3Server] = await Promise.all(parts)
    .catch(async (error: unknown) => {
      await run.endProcesses();
      // The other parts are to have ended before the run's folder goes.
      await Promise.allSettled(parts);
      throw error;
    });
  return {
    adminDatabaseUrl,
    templateDatabase,
    redisUrl,
    temporalAddress,
    temporalNamespacePrefix,
    timeSkippingServer: timeSkippingServerPath,
    encryptionKeys: `test:${randomBytes(32).toString('base64')}`,
    fingerprintKey: randomBytes(32).toString('base64'),
    platformToken: randomBytes(24).toString('hex'),
    chromium,
    s3Server,
    folder,
  };
}

/** Brings up what the tests need, once per run, and publishes it to the workers. A failure stops what had started. */
export default async function globalSetup({ maxWorkers }: Config & { maxWorkers: number }): Promise<void> {
  const run = await beginRun();
  try {
    publishAddresses(await bringUp(run, maxWorkers));
  } catch (error) {
    await run.end();
    process.once('exit', () => writeSync(process.stdout.fd, '0 passed, 1 failed\n'));
    throw error;
  }
}
