import { rmSync } from 'node:fs';
import type { Settings } from '../../../config/settings';
import { migrateFromEnvironment } from '../../../db/migrate';
import { withConnection } from '../../../local/programs/postgres';
import { startTestApi, type TestApi } from '../api';
import { startDedicatedRedis } from '../dedicatedRedis';
import { startDedicatedTemporal, type DedicatedTemporal } from '../dedicatedTemporal';
import { openPrograms, type Program } from '../programs';
import { startReceiver, type Receiver } from '../receiver';
import { startStubMailServer, type StubMailServer } from '../stubMailServer';
import { openBackedUpStores, type BackedUpStores } from './backedUpStores';

/** API and worker as processes, over stores that are lost and restored by the page on backups. */
export interface RestorableService {
  stores: BackedUpStores;
  /** Another API over the same stores, which outlives their loss. */
  api: TestApi;
  office: StubMailServer;
  /** Accepts every webhook. */
  receiver: Receiver;
  /** Rejects every webhook until a test replaces its `respond`. */
  failing: Receiver;
  /** Where the API process is now. */
  baseUrl(): string;
  /** Settings with the Temporal that is there now: after a loss an empty one. */
  settings(): Settings;
  asOwner<Row extends object>(statement: string): Promise<Row[]>;
  /** Everything is gone at once: processes killed, folders removed, Redis and Temporal empty. `meanwhile` begins when Postgres is gone. */
  lose(meanwhile: () => Promise<unknown>): Promise<void>;
  /** Restores as the page says: the base backup, then the log up to a moment or, without one, to its end. Returns how long it took, in ms. */
  restore(base: string, until: string, options: { startsService: boolean; onRestored: () => Promise<void> }): Promise<number>;
  /** Ends API and worker, as an administrator does. */
  stopService(): Promise<void>;
  end(): Promise<void>;
}

/** Starts it with an archive that gets a segment of the log after so many seconds. */
export async function startRestorableService(archiveSeconds: number): Promise<RestorableService> {
  let running: Program[] = [];
  let onRestored = (): Promise<void> => Promise.resolve();
  let startsService = false;

  const startPostgres = (): Promise<void> => stores.cluster.start({ ...stores.settings, archive_timeout: String(archiveSeconds) });
  const migrate = (): Promise<string> => migrateFromEnvironment({ MIGRATION_DATABASE_URL: stores.cluster.url, DATABASE_URL: serviceUrl() });
  const stopService = async (): Promise<void> => {
    await Promise.all(running.map((program) => program.kill()));
    running = [];
  };
  const startService = async (): Promise<void> => {
    running = await Promise.all([programs.api(settings()), programs.worker(settings())]);
  };
  const compose = async (command: string): Promise<void> => {
    if (command.startsWith('stop')) {
      await stopService();
      if (command.includes('postgres')) await stores.cluster.stop('SIGINT');
    } else if (command === 'up -d postgres') {
      await startPostgres();
    } else if (command === 'run migrate') {
      await onRestored();
      await migrate();
    } else if (command === 'up -d') {
      if (startsService) await startService();
    } else {
      throw new Error(`Nothing stands in for docker compose ${command}`);
    }
  };

  const stores = await openBackedUpStores(compose);
  const serviceUrl = (): string => {
    const url = new URL(stores.cluster.url);
    url.username = 'institution_service';
    url.password = 'secret-of-the-service';
    return url.href;
  };
  await startPostgres();
  await migrate();
  const temporals: DedicatedTemporal[] = [await startDedicatedTemporal()];
  const [redis, office, receiver, failing] = await Promise.all([startDedicatedRedis(), startStubMailServer(), startReceiver(), startReceiver()]);
  failing.respond = () => 500;
  const placeOfTemporal = (): Pick<Settings, 'temporalAddress' | 'temporalNamespace'> => {
    const { address = '', namespace = '' } = temporals.at(-1) ?? {};
    return { temporalAddress: address, temporalNamespace: namespace };
  };
  const api = await startTestApi({
    databaseUrl: serviceUrl(),
    redisUrl: redis.url,
    ...placeOfTemporal(),
    smtpUrl: office.url,
    webhookTrustedHosts: [receiver.host, failing.host],
    fileStore: { kind: 'folder', folder: stores.files },
  });
  const settings = (): Settings => ({ ...api.settings, ...placeOfTemporal() });
  const programs = openPrograms();
  await startService();

  return {
    stores,
    api,
    office,
    receiver,
    failing,
    baseUrl: () => running[0]?.baseUrl ?? '',
    settings,
    asOwner: (statement) => withConnection(stores.cluster.url, async (client) => (await client.query(statement)).rows),
    stopService,
    lose: async (meanwhile) => {
      await stores.cluster.stop('SIGKILL');
      await Promise.all([stopService(), meanwhile()]);
      rmSync(stores.cluster.folder, { recursive: true });
      rmSync(stores.files, { recursive: true });
      redis.signal('SIGKILL');
      await temporals.at(-1)?.stop();
      temporals.push(await startDedicatedTemporal());
    },
    restore: async (base, until, options) => {
      const begun = performance.now();
      ({ startsService, onRestored } = options);
      await stores.run('restore.sh', [['2026-11-20T02-00-00Z', base], ['2026-11-20 09:30:00+00', until]]);
      onRestored = () => Promise.resolve();
      return performance.now() - begun;
    },
    end: async () => {
      await programs.end();
      await api.stop();
      await Promise.all([redis.stop(), temporals.at(-1)?.stop(), office.close(), receiver.close(), failing.close()]);
      await stores.close();
    },
  };
}
