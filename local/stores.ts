import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Launcher } from './launch';
import type { StackOptions } from './options';
import type { ProcessRecord } from './processRecord';
import { databaseUrlForRole } from './programs/databaseUrl';
import { startMailCatcher } from './programs/mailCatcher';
import { startPostgres } from './programs/postgres';
import { startRedis } from './programs/redis';
import { startTemporal } from './programs/temporal';
import type { Progress } from './progress';
import type { Secrets } from './secrets';
import type { StopList } from './stopList';

/** The addresses of the stores that API and worker use. */
export interface Stores {
  /** As API and worker sign in; the migrations make their role. */
  databaseUrl: string;
  /** As migrations do. */
  ownerDatabaseUrl: string;
  redisUrl: string;
  temporalAddress: string;
  temporalUiUrl: string;
  smtpUrl: string;
  mailDir: string;
}

export interface StackDeps {
  options: StackOptions;
  secrets: Secrets;
  record: ProcessRecord;
  launcher: Launcher;
  progress: Progress;
  stops: StopList;
  /** Settings of a Postgres of our own beyond those of a local stack. */
  postgresSettings?: Record<string, string>;
}

/** Where a program's output goes. */
export const logFilePath = ({ localDir }: StackOptions, name: string): string => join(localDir, 'logs', `${name}.log`);

async function mail({ options, stops }: StackDeps): Promise<{ smtpUrl: string; mailDir: string }> {
  const mailDir = join(options.localDir, 'mail');
  mkdirSync(mailDir, { recursive: true });
  const existing = options.environment.SMTP_URL;
  if (existing !== undefined) return { smtpUrl: existing, mailDir };
  const catcher = await startMailCatcher({ folder: mailDir });
  stops.add('mail', () => catcher.stop());
  return { smtpUrl: catcher.url, mailDir };
}

async function postgres({ options, secrets, record, launcher, progress, stops, postgresSettings }: StackDeps): Promise<Pick<Stores, 'databaseUrl' | 'ownerDatabaseUrl'>> {
  const { url, stop } = await startPostgres({
    environment: options.environment,
    dataDir: join(options.localDir, 'postgres'),
    password: secrets.postgres_password,
    database: 'institution',
    settings: { max_connections: '200', ...postgresSettings },
    logFile: logFilePath(options, 'postgres'),
    record,
    launcher,
    progress,
  });
  stops.add('postgres', stop);
  // A server of somebody else's has the roles that it has.
  const databaseUrl = options.environment.DATABASE_URL ?? databaseUrlForRole(url, 'institution_service', secrets.service_password);
  return { databaseUrl, ownerDatabaseUrl: url };
}

async function redis({ options, record, launcher, progress, stops }: StackDeps): Promise<string> {
  const { environment } = options;
  const { url, stop } = await startRedis({
    environment, logFile: logFilePath(options, 'redis'), record, launcher, progress,
  });
  stops.add('redis', stop);
  return url;
}

async function temporal({ options, record, launcher, progress, stops }: StackDeps): Promise<string> {
  const { environment, temporalUiPort, localDir } = options;
  const { address, stop } = await startTemporal({
    environment,
    namespaces: [environment.TEMPORAL_NAMESPACE ?? 'default'],
    databaseFile: join(localDir, 'temporal.db'),
    uiPort: temporalUiPort,
    logFile: logFilePath(options, 'temporal'),
    record,
    launcher,
    progress,
  });
  stops.add('temporal', stop);
  return address;
}

/** Brings the stores up, side by side. Throws when the first of them fails; the others may still be starting then. */
export async function startStores(deps: StackDeps): Promise<Stores> {
  const { environment, temporalUiPort } = deps.options;
  const [databases, redisUrl, temporalAddress, { smtpUrl, mailDir }] = await Promise.all([
    postgres(deps), redis(deps), temporal(deps), mail(deps),
  ]);
  const temporalUiUrl = environment.TEMPORAL_UI_URL ?? `http://127.0.0.1:${temporalUiPort}`;
  return { ...databases, redisUrl, temporalAddress, temporalUiUrl, smtpUrl, mailDir };
}
