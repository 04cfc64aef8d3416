import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, ensureCached } from '../../../local/cache';
import { findProgram } from '../../../local/findProgram';
import type { Launcher } from '../../../local/launch';
import { freePort } from '../../../local/ports';
import { canInstall } from '../../../local/programs/apt';
import { withConnection } from '../../../local/programs/postgres';
import { postgresUser } from '../../../local/programs/postgresUser';
import type { ProgramSource } from '../../../local/programs/sdkDownload';
import { runToEnd } from '../../../local/processes';
import { projectRoot } from '../../../local/projectRoot';
import { onDatabase, throughPgbouncer } from './database';

interface PgbouncerOptions extends ProgramSource {
  launcher: Launcher;
  /** For its files; made. */
  folder: string;
  /** A database of the cluster, as a superuser. */
  adminDatabaseUrl: string;
}

const cachedName = 'pgbouncer-1.24';
const buildWithinMs = 10 * 60_000;

/** Whether this is 1.21 or later, which prepares statements in transaction mode. */
async function preparesStatements(program: string): Promise<boolean> {
  const { stdout } = await promisify(execFile)(program, ['--version']);
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(stdout) ?? [];
  return Number(major) > 1 || (Number(major) === 1 && Number(minor) >= 21);
}

async function pgbouncerProgram(source: ProgramSource): Promise<string> {
  const present = findProgram(['pgbouncer'], source.environment);
  if (present !== undefined && (await preparesStatements(present))) return present;
  const folder = cacheFolder(source.environment);
  const built = join(folder, cachedName);
  if (existsSync(built)) return built;
  if (!canInstall()) throw new Error('No PgBouncer: put 1.21 or later on PATH, or run this as root on a Debian family system, where it is built from source');
  return ensureCached(folder, {
    name: cachedName,
    make: (target) => source.progress.step('Building PgBouncer from the sources of Debian, once', () => runToEnd({
      name: 'The build of PgBouncer',
      program: 'sh',
      args: [join(__dirname, 'buildPgbouncer.sh'), target],
      cwd: projectRoot(),
      env: source.environment,
      logFile: join(dirname(source.logFile), 'pgbouncer-build.log'),
      stopSignal: 'SIGTERM',
    }, source.record, buildWithinMs)),
    onWait: () => source.progress.log('  Another checkout is building PgBouncer: waiting for it'),
  });
}

/** An installation's configuration with what is of this run. A section that begins again would lose what it had before, so each stays one. */
const configurationOfRun = (ofInstallations: string, admin: URL, port: number, passwordFile: string): string => `${ofInstallations.replace(/^\[databases\]$/m, `$&\n* = host=${admin.hostname} port=${admin.port}`)}
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_file = ${passwordFile}
admin_users = ${decodeURIComponent(admin.username)}
; Tests make roles of their own.
auth_user = ${decodeURIComponent(admin.username)}
auth_dbname = postgres
auth_query = SELECT rolname, rolpassword FROM pg_authid WHERE rolname = $1 AND rolcanlogin
; Databases of test files are dropped soon.
server_idle_timeout = 5
`;

/** Fails unless it lends connections for one transaction: in any other mode the tests would show nothing. */
async function requireTransactionMode(databaseUrl: string): Promise<void> {
  await withConnection(onDatabase(databaseUrl, 'pgbouncer'), async (client) => {
    const { rows } = await client.query<{ key: string; value: string }>('SHOW CONFIG');
    const mode = rows.find(({ key }) => key === 'pool_mode')?.value;
    if (mode !== 'transaction') throw new Error(`PgBouncer's pool_mode is ${mode}`);
  });
}

/** Starts PgBouncer in front of every database of the cluster, with the configuration of deploy/pgbouncer; returns its port. */
export async function startPgbouncer(options: PgbouncerOptions): Promise<number> {
  const { folder, adminDatabaseUrl } = options;
  const configuration = join(folder, 'pgbouncer.ini');
  const passwordFile = join(folder, 'userlist.txt');
  const admin = new URL(adminDatabaseUrl);
  mkdirSync(folder, { recursive: true });
  const program = await pgbouncerProgram(options);
  // It does not run as root either.
  const user = postgresUser([folder, dirname(program)]);
  const port = await freePort();
  const ofInstallations = readFileSync(join(projectRoot(), 'deploy', 'pgbouncer', 'pgbouncer.ini'), 'utf8');
  writeFileSync(configuration, configurationOfRun(ofInstallations, admin, port, passwordFile), { mode: 0o600 });
  writeFileSync(passwordFile, `"${decodeURIComponent(admin.username)}" "${decodeURIComponent(admin.password)}"\n`, { mode: 0o600 });
  for (const path of [configuration, passwordFile]) user.chown(path);
  await options.progress.step('PgBouncer', () => options.launcher({
    name: 'pgbouncer',
    ...user.invoke(program, [configuration]),
    logFile: options.logFile,
    stopSignal: 'SIGINT',
    readyWithinMs: 10_000,
    ready: () => withConnection(throughPgbouncer(adminDatabaseUrl, port), async (client) => { await client.query('SELECT 1'); }),
  }));
  await requireTransactionMode(throughPgbouncer(adminDatabaseUrl, port));
  return port;
}
