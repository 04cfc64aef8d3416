import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '../db/migrate';
import { alreadyRunning } from './alreadyRunning';
import { removeConnection, writeConnection, type ConnectionFile } from './connection';
import { requireDemo } from './demoInstitution';
import { watchEndings } from './shutdownSignals';
import { messageOf } from './errors';
import { portsOf, reachable, readOptions, recordFileIn, type StackOptions } from './options';
import { requireFreePorts } from './ports';
import { ProcessRecord } from './processRecord';
import { createProgress } from './progress';
import { screen } from './startupMessage';
import { requireSecrets } from './secrets';
import { startServices } from './apiAndWorker';
import { StopList } from './stopList';
import { bringUpStores, type Means } from './stores';
import { keepUp } from './supervise';

const releaseGraceMs = 500;
const progress = createProgress((line) => process.stdout.write(`${line}\n`), 'every step');

async function bringUp(means: Means): Promise<ConnectionFile> {
  const { options, secrets } = means;
  const stores = await bringUpStores(means);
  await progress.step('Migrations', () => migrate(stores.ownerDatabaseUrl, stores.databaseUrl));
  await startServices(means, stores);
  const platformOrigin = `http://${reachable(options.platformHost)}:${options.platformPort}`;
  const platformUrl = `${platformOrigin}/platform/v1`;
  const platformToken = options.environment.PLATFORM_TOKEN ?? secrets.platform_token;
  const demo = await progress.step('Demo institution', () => requireDemo({
    localDir: options.localDir,
    apiUrl: `http://${reachable(options.host)}:${options.port}/v1`,
    platformUrl,
    platformToken,
  }));
  return {
    base_url: options.publicBaseUrl,
    docs_url: `${options.publicBaseUrl}/docs`,
    api_key: demo.api_key,
    institution_id: demo.institution_id,
    platform_url: platformUrl,
    platform_token: platformToken,
    console_url: `${platformOrigin}/console`,
    temporal_address: stores.temporalAddress,
    temporal_ui: stores.temporalUiUrl,
    database_url: stores.ownerDatabaseUrl,
    redis_url: stores.redisUrl,
    mail_dir: stores.mailDir,
    demo_receiver_port: options.demoReceiverPort,
  };
}

async function claimRecord({ localDir }: StackOptions): Promise<ProcessRecord> {
  const running = alreadyRunning(localDir);
  if (running !== undefined) throw new Error(running);
  const { record, leftovers } = await ProcessRecord.claim(recordFileIn(localDir));
  if (leftovers.length > 0) progress.say(`  An earlier run was killed; ended what it left: ${leftovers.join(', ')}`);
  return record;
}

/** Runs the stack until it is asked to end, or cannot be kept up. Answers the exit code. */
async function run(options: StackOptions, record: ProcessRecord): Promise<number> {
  const stops = new StopList();
  const ending = new AbortController();
  let failure: Error | undefined;
  const ended = new Promise<void>((resolve) => {
    const end = (): void => { ending.abort(new Error('Stopping')); record.close(); resolve(); };
    const fail = (error: unknown): void => {
      failure ??= error instanceof Error ? error : new Error(String(error));
      end();
    };
    watchEndings({
      onStop: (why) => { progress.say(`\nStopping (${why}); once more to kill at once`); end(); },
      onKill: () => { record.killNow(); process.exit(130); },
    });
    process.on('uncaughtException', fail);
    process.on('unhandledRejection', fail);
    const launcher = keepUp({ record, progress, signal: ending.signal, giveUp: fail });
    const start = async (): Promise<void> => {
      await requireFreePorts(portsOf(options));
      const secrets = requireSecrets(options.localDir);
      const connection = await bringUp({ options, secrets, record, launcher, progress, stops });
      if (ending.signal.aborted) return;
      writeConnection(options.localDir, connection);
      progress.say(screen(connection, options.localDir));
    };
    start().catch((error: unknown) => { if (!ending.signal.aborted) fail(error); });
  });
  await ended;
  removeConnection(options.localDir);
  if (failure !== undefined) progress.say(`\n✗ ${failure.message}`);
  await stops.stopAll((part) => progress.say(`  stopping ${part}`));
  await record.release(releaseGraceMs);
  return failure === undefined ? 0 : 1;
}

async function main(): Promise<number> {
  const options = await readOptions(process.env);
  mkdirSync(join(options.localDir, 'logs'), { recursive: true });
  const record = await claimRecord(options);
  removeConnection(options.localDir);
  return run(options, record);
}

main().then((code) => process.exit(code), (error: unknown) => {
  process.stderr.write(`✗ ${messageOf(error)}\n`);
  process.exit(1);
});
