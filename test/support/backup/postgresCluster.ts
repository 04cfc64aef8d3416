import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../local/ports';
import { localeArguments, withConnection } from '../../../local/programs/postgres';
import { postgresUser } from '../../../local/programs/postgresUser';
import { waitUntil } from '../../../local/waitUntil';
import { postgresPrograms } from '../../../local/programs/postgresPrograms';

/** A Postgres whose folder is lost and restored by scripts; its port and its users stay. */
export interface PostgresCluster {
  /** As its superuser, who owns the tables. */
  url: string;
  /** The data folder, PGDATA. */
  folder: string;
  /** What the scripts of a backup find in the container of Postgres. */
  environment: Record<string, string>;
  /** Begins the command of a program that runs as the user of Postgres. */
  asPostgres: readonly string[];
  /** A folder that this user may write to. */
  makeFolder(path: string): void;
  /** Starts it on what is in the folder; resolves once it takes connections, which may be before a recovery ends. */
  start(settings: Readonly<Record<string, string>>): Promise<void>;
  /** SIGINT as an administrator stops it, SIGKILL as a crash does. */
  stop(signal: 'SIGINT' | 'SIGKILL'): Promise<void>;
  /** What the server has logged. */
  log(): string;
}

const startWithinMs = 60_000;

/** Makes a cluster in the folder `parent`, with the superuser and the locale of docker-compose.yml; it does not run yet. Its archive_command finds `backups`. */
export async function createPostgresCluster(parent: string, backups: string): Promise<PostgresCluster> {
  const programs = await postgresPrograms();
  const user = postgresUser([programs, parent]);
  const { program: first, args: rest, user: ids } = user.invoke('program', []);
  const asPostgres = ids === undefined ? [first, ...rest].slice(0, -1) : ['setpriv', '--reuid', String(ids.uid), '--regid', String(ids.gid), '--clear-groups', '--'];
  const folder = join(parent, 'pgdata');
  const logFile = join(parent, 'postgres.log');
  const password = randomBytes(16).toString('hex');
  const port = await freePort();
  const makeFolder = (path: string): void => {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    user.chown(path);
  };
  makeFolder(parent);
  writeFileSync(join(parent, 'password'), password, { mode: 0o644 });
  const [program, ...args] = [
    ...asPostgres, join(programs, 'initdb'), '-D', folder, '-U', 'institution', '--auth=scram-sha-256', `--pwfile=${join(parent, 'password')}`, ...localeArguments, '--no-sync', '--no-instructions',
  ];
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8', cwd: parent });
  if (status !== 0) throw new Error(`initdb: ${stderr}`);

  const url = (database: string): string => `postgres://institution:${password}@127.0.0.1:${port}/${database}`;
  let running: { child: ChildProcess; ended: Promise<void> } | undefined;
  const log = (): string => readFileSync(logFile, 'utf8');
  return {
    url: url('institution'),
    folder,
    environment: {
      PATH: `${programs}:${process.env.PATH ?? ''}`,
      PGDATA: folder,
      PGHOST: '127.0.0.1',
      PGPORT: String(port),
      PGPASSWORD: password,
    },
    asPostgres,
    makeFolder,
    log,
    start: async (settings) => {
      const options = Object.entries({ listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      const [postgres = '', ...its] = [...asPostgres, join(programs, 'postgres'), '-D', folder, '-p', String(port), ...options];
      const output = openSync(logFile, 'a');
      const child = spawn(postgres, its, { cwd: parent, stdio: ['ignore', output, output], detached: true, env: { PATH: process.env.PATH, BACKUPS: backups } });
      closeSync(output);
      const exited = new AbortController();
      const ended = new Promise<void>((resolve) => child.once('close', () => {
        exited.abort(new Error(`Postgres ended: ${log().split('\n').slice(-8).join('\n')}`));
        resolve();
      }));
      running = { child, ended };
      await waitUntil({
        what: 'Postgres',
        withinMs: startWithinMs,
        signal: exited.signal,
        check: () => withConnection(url('postgres'), async (client) => {
          const { rows } = await client.query<{ recovering: boolean; known: boolean }>("SELECT pg_is_in_recovery() AS recovering, EXISTS (SELECT 1 FROM pg_database WHERE datname = 'institution') AS known");
          if (rows[0]?.recovering === false && !rows[0].known) await client.query('CREATE DATABASE institution');
        }),
      });
    },
    stop: async (signal) => {
      const { child, ended } = running ?? {};
      running = undefined;
      if (child?.pid === undefined) return;
      process.kill(signal === 'SIGKILL' ? -child.pid : child.pid, signal);
      await ended;
    },
  };
}
