import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readSettings, type Settings } from '../../../config/settings';
import { publishedAddresses, workerNumber } from './addresses';
import { onPort } from '../../../local/programs/databaseUrl';
import { cloneDatabase, emptyDatabase, serviceUrlOf } from './database';
import { catchMail, type CaughtMail } from './mail';

export type { CaughtMail, ParsedMail } from './mail';

/** What one test file has to itself: a fresh database, key prefix, task queue and mailbox. */
export interface TestStack {
  /** As the service signs in, who may read and write rows; never through PgBouncer, which the settings name where it runs. */
  databaseUrl: string;
  /** As who may do everything, to triggers and tables too. */
  ownerDatabaseUrl: string;
  redisUrl: string;
  redisKeyPrefix: string;
  temporalAddress: string;
  /** Of this Jest worker: files that run one after the other share it. */
  temporalNamespace: string;
  taskQueue: string;
  smtpUrl: string;
  mail: CaughtMail;
  /** Complete settings of the test profile for this file; every port is 0, which takes a free one. */
  settings(overrides?: Partial<Settings>): Settings;
  /** For `afterAll`; the database stays until the worker's next file, so nothing fails that still closes. */
  stop(): Promise<void>;
}

let opening: Promise<TestStack> | undefined;

async function open(): Promise<TestStack> {
  const addresses = publishedAddresses();
  const worker = `w${workerNumber()}`;
  const file = `${worker}-${randomBytes(4).toString('hex')}`;
  const [ownerDatabaseUrl, caught] = await Promise.all([
    cloneDatabase(addresses, `test_${worker}`),
    catchMail(join(addresses.folder, `mail-${file}`)),
  ]);
  const databaseUrl = serviceUrlOf(ownerDatabaseUrl);
  const redisKeyPrefix = `test:${file}:`;
  const taskQueue = `test-${file}`;
  const temporalNamespace = `${addresses.temporalNamespacePrefix}${workerNumber()}`;
  const settings = (overrides: Partial<Settings> = {}): Settings => ({
    ...readSettings({
      PROFILE: 'test',
      HOST: '127.0.0.1',
      PORT: '0',
      PLATFORM_PORT: '0',
      WORKER_PORT: '0',
      APP_PORT: '0',
      PUBLIC_BASE_URL: 'http://localhost:4000/v1',
      ...(addresses.pgbouncerPort === null ? { DATABASE_URL: databaseUrl } : { DATABASE_URL: onPort(databaseUrl, addresses.pgbouncerPort), DATABASE_DIRECT_URL: databaseUrl }),
      DATABASE_POOL_SIZE: '10',
      REDIS_URL: addresses.redisUrl,
      REDIS_KEY_PREFIX: redisKeyPrefix,
      TEMPORAL_ADDRESS: addresses.temporalAddress,
      TEMPORAL_NAMESPACE: temporalNamespace,
      TASK_QUEUE: taskQueue,
      SMTP_URL: caught.url,
      FILE_STORE_URL: pathToFileURL(join(addresses.folder, `files-${file}`)).href,
      UPLOAD_SPOOL_FOLDER: join(addresses.folder, `spool-${file}`),
      MASTER_KEYS: addresses.masterKeys,
      PLATFORM_TOKEN: addresses.platformToken,
      PLATFORM_ADMIN_EMAIL: 'platform@institution.example',
      LOG_LEVEL: 'silent',
      SHUTDOWN_TIMEOUT_MS: '2000',
      SHUTDOWN_DRAIN_MS: '0',
    }),
    // Another database is reached as its URL says.
    ...(overrides.databaseUrl === undefined ? {} : { databaseDirectUrl: null }),
    ...overrides,
  });
  return {
    databaseUrl,
    ownerDatabaseUrl,
    redisUrl: addresses.redisUrl,
    redisKeyPrefix,
    temporalAddress: addresses.temporalAddress,
    temporalNamespace,
    taskQueue,
    smtpUrl: caught.url,
    mail: caught.mail,
    settings,
    stop: caught.stop,
  };
}

/** The stack of this test file; every call in one file returns the same. */
export function stack(): Promise<TestStack> {
  opening ??= open();
  return opening;
}

/** A database of this Jest worker with no table in it, for tests of the migrations; the caller drops it. */
export function createEmptyDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  return emptyDatabase(publishedAddresses(), `test_w${workerNumber()}_empty`);
}

/** The path of Temporal's time-skipping test server. */
export const timeSkippingServerPath = (): string => publishedAddresses().timeSkippingServer;

/** The path of Chromium; throws what to install when there is none. */
export function chromiumPath(): string {
  const { path, missing } = publishedAddresses().chromium;
  if (path === null) throw new Error(missing);
  return path;
}

/** The path of the S3-compatible server; throws what to install when there is none. */
export function s3ServerPath(): string {
  const { path, missing } = publishedAddresses().s3Server;
  if (path === null) throw new Error(missing);
  return path;
}
