import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Launcher } from '../launch';
import { freePort } from '../ports';
import { onDatabase, onPort } from './databaseUrl';
import { pgbouncerProgram } from './pgbouncerProgram';
import { withConnection } from './postgres';
import { postgresUser } from './postgresUser';
import type { ProgramSource } from './sdkDownload';
import { projectRoot } from '../projectRoot';

interface PgbouncerOptions extends ProgramSource {
  launcher: Launcher;
  /** For its files; made. */
  folder: string;
  /** A database of the cluster, as a superuser. */
  adminDatabaseUrl: string;
  /** Settings beyond those of deploy/pgbouncer, by name. */
  settings: Readonly<Record<string, string>>;
}

/** An installation's configuration with what is of this run. A section that begins again would lose what it had before, so each stays one. */
const configurationOfRun = (ofInstallations: string, admin: URL, port: number, passwordFile: string, settings: Readonly<Record<string, string>>): string => `${ofInstallations.replace(/^\[databases\]\n(?:.+\n)*/m, `[databases]\n* = host=${admin.hostname} port=${admin.port}\n`)}
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_file = ${passwordFile}
admin_users = ${decodeURIComponent(admin.username)}
; Migrations and tests make roles.
auth_user = ${decodeURIComponent(admin.username)}
auth_dbname = postgres
auth_query = SELECT rolname, rolpassword FROM pg_authid WHERE rolname = $1 AND rolcanlogin
${Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`).join('')}`;

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
  writeFileSync(configuration, configurationOfRun(ofInstallations, admin, port, passwordFile, options.settings), { mode: 0o600 });
  writeFileSync(passwordFile, `"${decodeURIComponent(admin.username)}" "${decodeURIComponent(admin.password)}"\n`, { mode: 0o600 });
  for (const path of [configuration, passwordFile]) user.chown(path);
  await options.progress.step('PgBouncer', () => options.launcher({
    name: 'pgbouncer',
    ...user.invoke(program, [configuration]),
    logFile: options.logFile,
    stopSignal: 'SIGINT',
    readyWithinMs: 10_000,
    ready: () => withConnection(onPort(adminDatabaseUrl, port), async (client) => { await client.query('SELECT 1'); }),
  }));
  await requireTransactionMode(onPort(adminDatabaseUrl, port));
  return port;
}
