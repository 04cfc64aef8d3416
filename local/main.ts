import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '../db/migrate';
import { alreadyRunningMessage } from './alreadyRunning';
import { removeConnection, writeConnection, type ConnectionFile } from './connection';
import { ensureDemo } from './demoInstitution';
import { errorMessage } from './errors';
import { runInForeground } from './foreground';
import { requiredPorts, connectableHost, readOptions, recordFilePath, type StackOptions } from './options';
import { requireFreePorts } from './ports';
import { ProcessRecord } from './processRecord';
import { createProgress } from './progress';
import { startupMessage } from './startupMessage';
import { ensureSecrets } from './secrets';
import { startServices } from './apiAndWorker';
import { StopList } from './stopList';
import { startStores, type StackDeps } from './stores';

const progress = createProgress((line) => process.stdout.write(`${line}\n`), 'every step');

async function startStack(deps: StackDeps): Promise<ConnectionFile> {
  const { options, secrets } = deps;
  const stores = await startStores(deps);
  await progress.step('Migrations', () => migrate(stores.ownerDatabaseUrl, stores.databaseUrl));
  await startServices(deps, stores);
  const platformOrigin = `http://${connectableHost(options.platformHost)}:${options.platformPort}`;
  const platformUrl = `${platformOrigin}/platform/v1`;
  const [platformToken = ''] = (options.environment.PLATFORM_TOKEN ?? secrets.platform_token).split(',');
  const demo = await progress.step('Demo institution', () => ensureDemo({
    localDir: options.localDir,
    apiUrl: `http://${connectableHost(options.host)}:${options.port}/v1`,
    platformUrl,
    platformToken,
  }));
  return {
    base_url: options.publicBaseUrl,
    docs_url: `${options.publicBaseUrl}/docs`,
    api_key: demo.api_key,
    test_key: demo.test_key,
    institution_id: demo.institution_id,
    platform_url: platformUrl,
    apps_url: `http://${connectableHost(options.host)}:${options.appPort}/platform/v1`,
    platform_token: platformToken,
    console_url: `${platformOrigin}/console`,
    console_token: demo.console_token,
    worker_url: `http://127.0.0.1:${options.workerPort}`,
    temporal_address: stores.temporalAddress,
    temporal_ui: stores.temporalUiUrl,
    database_url: stores.ownerDatabaseUrl,
    redis_url: stores.redisUrl,
    mail_dir: stores.mailDir,
    demo_receiver_port: options.demoReceiverPort,
  };
}

async function claimRecord({ localDir }: StackOptions): Promise<ProcessRecord> {
  const running = alreadyRunningMessage(localDir);
  if (running !== undefined) throw new Error(running);
  const { record, leftovers } = await ProcessRecord.claim(recordFilePath(localDir));
  if (leftovers.length > 0) progress.log(`  An earlier run was killed; ended what it left: ${leftovers.join(', ')}`);
  return record;
}

/** Runs the stack until it is asked to end, or cannot be kept up. Returns the exit code. */
function run(options: StackOptions, record: ProcessRecord): Promise<number> {
  const stops = new StopList();
  return runInForeground({
    record,
    progress,
    start: async (launcher, signal) => {
      await requireFreePorts(requiredPorts(options));
      const secrets = ensureSecrets(options.localDir);
      const connection = await startStack({ options, secrets, record, launcher, progress, stops });
      if (signal.aborted) return;
      writeConnection(options.localDir, connection);
      progress.log(startupMessage(connection, options.localDir));
    },
    stop: async () => {
      removeConnection(options.localDir);
      await stops.stopAll((part) => progress.log(`  stopping ${part}`));
    },
  });
}

async function main(): Promise<number> {
  const options = await readOptions(process.env);
  mkdirSync(join(options.localDir, 'logs'), { recursive: true });
  const record = await claimRecord(options);
  removeConnection(options.localDir);
  return run(options, record);
}

main().then((code) => process.exit(code), (error: unknown) => {
  process.stderr.write(`✗ ${errorMessage(error)}\n`);
  process.exit(1);
});
