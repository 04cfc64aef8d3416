import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../db/migrate';
import { freePort } from '../../local/ports';
import { withConnection } from '../../local/programs/postgres';
import { waitUntil } from '../../local/waitUntil';
import { createPostgresCluster } from './backup/postgresCluster';
import { postgresPrograms } from '../../local/programs/postgresPrograms';

/** A migrated Postgres and its streaming replica, made by pg_basebackup. */
export interface StreamingReplica {
  primaryUrl: string;
  replicaUrl: string;
  /** Ends the replica as a crash does; `start` continues it. */
  stopReplica(): Promise<void>;
  startReplica(): Promise<void>;
  close(): Promise<void>;
}

const primarySettings = { fsync: 'off', max_connections: '60' };

/** Starts both; takes some ten seconds. */
export async function startStreamingReplica(): Promise<StreamingReplica> {
  const parent = mkdtempSync(join(tmpdir(), 'replica-'));
  chmodSync(parent, 0o755);
  const [folder, logFile] = [join(parent, 'replica'), join(parent, 'replica.log')];
  const cluster = await createPostgresCluster(join(parent, 'primary'), parent);
  await cluster.start(primarySettings);
  await migrate(cluster.url);
  cluster.makeFolder(folder);
  const programs = await postgresPrograms();
  const environment = { ...cluster.environment, PGUSER: 'institution' };
  const [program, ...args] = [...cluster.asPostgres, join(programs, 'pg_basebackup'), '-D', folder, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'];
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8', cwd: parent, env: environment });
  if (status !== 0) throw new Error(`pg_basebackup: ${stderr}`);
  const port = await freePort();
  const replicaUrl = cluster.url.replace(/:\d+\/institution$/, `:${port}/institution`);
  let stop = async (): Promise<void> => undefined;
  const { hostname, port: primaryPort, username, password } = new URL(cluster.url);
  // That of pg_basebackup may have options that the library of the server does not know.
  const connection = `host=${hostname} port=${primaryPort} user=${username} password=${password}`;
  const startReplica = async (): Promise<void> => {
    const output = openSync(logFile, 'a');
    const [postgres, ...its] = [
      ...cluster.asPostgres, join(programs, 'postgres'), '-D', folder, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'fsync=off', '-c', 'max_connections=60', '-c', `primary_conninfo=${connection}`,
    ];
    const child = spawn(postgres, its, { cwd: parent, stdio: ['ignore', output, output], env: { PATH: process.env.PATH } });
    closeSync(output);
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    stop = async () => {
      child.kill('SIGQUIT');
      await ended;
    };
    await waitUntil({
      what: 'the replica',
      withinMs: 30_000,
      check: () => withConnection(replicaUrl, async (client) => {
        const { rowCount } = await client.query("SELECT 1 FROM pg_stat_wal_receiver WHERE status = 'streaming'");
        if (rowCount === 0) throw new Error('It does not stream');
      }),
    });
  };
  await startReplica();
  return {
    primaryUrl: cluster.url,
    replicaUrl,
    startReplica,
    stopReplica: () => stop(),
    close: async () => {
      await stop();
      await cluster.stop('SIGKILL');
      rmSync(parent, { recursive: true, force: true });
    },
  };
}
