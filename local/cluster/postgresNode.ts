import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startUntilReady } from '../launch';
import { freePort } from '../ports';
import { runToEnd, type RunningProcess } from '../processes';
import { localeArguments, withConnection } from '../programs/postgres';
import { postgresUser, type PostgresUser } from '../programs/postgresUser';
import { clusterLog, type ClusterDeps } from './deps';
import type { ClusterPrograms } from './programs';

/** One server of the pair: its folder, and what is done to it. */
export interface PostgresNode {
  readonly name: string;
  readonly port: number;
  /** A database of it, as the superuser. */
  url(database?: string): string;
  readonly running: RunningProcess | undefined;
  /** Makes an empty cluster of databases. */
  initialise(): Promise<void>;
  /** Makes the folder a copy of another server's. */
  copyFrom(primary: PostgresNode): Promise<void>;
  /** Makes the folder of a former primary fit the new one's, without copying all of it. */
  rewindTo(primary: PostgresNode): Promise<void>;
  /** Starts it as the primary, or as the standby of one. */
  start(primary?: PostgresNode): Promise<void>;
  kill(): Promise<void>;
}

/** What a server is started with. */
type PostgresDeps = Pick<ClusterDeps, 'environment' | 'localDir' | 'record'> & { programs: Pick<ClusterPrograms, 'postgres'> };

const superuser = 'postgres';
const stepWithinMs = 60_000;

/** Of both servers, so that either can be the primary. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '300',
  shared_buffers: '128MB',
  log_error_verbosity: 'terse',
  // For pg_rewind.
  wal_log_hints: 'on',
  wal_keep_size: '512MB',
  wal_receiver_status_interval: '1s',
  wal_sender_timeout: '5s',
  wal_receiver_timeout: '5s',
} as const;

/** Returns a server on a free port, which does not run yet. */
export async function postgresNode(deps: PostgresDeps, name: string, password: string): Promise<PostgresNode> {
  const { record, programs, localDir } = deps;
  const folder = join(localDir, name);
  const user: PostgresUser = postgresUser([programs.postgres, localDir]);
  const port = await freePort();
  const url = (database = 'postgres'): string => `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`;
  const conninfo = (primary: PostgresNode): string => `host=127.0.0.1 port=${primary.port} user=${superuser} password=${password} application_name=${name.replaceAll('-', '_')} dbname=postgres`;
  let running: RunningProcess | undefined;

  const run = (program: string, args: readonly string[]): Promise<void> =>
    runToEnd({ name: `${program} of ${name}`, ...user.invoke(join(programs.postgres, program), args), cwd: localDir, env: { ...deps.environment, PGPASSWORD: password }, logFile: clusterLog(deps, `${name}-${program}`), stopSignal: 'SIGTERM' }, record, stepWithinMs);
  const emptyFolder = (): void => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    user.chown(folder);
  };
  return {
    name,
    port,
    url,
    get running() { return running; },
    initialise: async () => {
      emptyFolder();
      const passwordFile = `${folder}.password`;
      writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
      user.chown(passwordFile);
      await run('initdb', ['-D', folder, '-U', superuser, '--auth=scram-sha-256', `--pwfile=${passwordFile}`, ...localeArguments, '--no-sync', '--no-instructions']);
      rmSync(passwordFile);
      // pg_rewind starts the server once without our arguments, which must keep the log that pg_rewind then reads.
      appendFileSync(join(folder, 'postgresql.conf'), `wal_keep_size = ${settings.wal_keep_size}\nwal_log_hints = on\n`);
    },
    copyFrom: async (primary) => {
      emptyFolder();
      await run('pg_basebackup', ['-D', folder, '-X', 'stream', '-c', 'fast', '--no-sync', '-d', conninfo(primary)]);
    },
    rewindTo: (primary) => {
      rmSync(join(folder, 'postmaster.pid'), { force: true });
      return run('pg_rewind', ['-D', folder, `--source-server=${conninfo(primary)}`]);
    },
    start: async (primary) => {
      const signal = join(folder, 'standby.signal');
      if (primary !== undefined && !existsSync(signal)) {
        writeFileSync(signal, '');
        user.chown(signal);
      }
      rmSync(join(folder, 'postmaster.pid'), { force: true });
      const given = { ...settings, ...(primary === undefined ? {} : { primary_conninfo: conninfo(primary) }) };
      running = await startUntilReady({
        name,
        ...user.invoke(join(programs.postgres, 'postgres'), ['-D', folder, '-p', String(port), ...Object.entries(given).flatMap(([key, value]) => ['-c', `${key}=${value}`])]),
        cwd: localDir,
        env: deps.environment,
        logFile: clusterLog(deps, name),
        stopSignal: 'SIGINT',
        readyWithinMs: stepWithinMs,
        ready: () => withConnection(url(), async (client) => { await client.query('SELECT 1'); }),
      }, record);
      const started = running;
      void started.exited.then(() => { if (running === started) running = undefined; });
    },
    kill: async () => {
      const killed = running;
      if (killed === undefined) return;
      try {
        process.kill(-killed.pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
      await killed.exited;
      running = undefined;
    },
  };
}
