import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import { createDataSource } from './database';
import { grantNewTables, grantServicePrivileges } from './privileges';
import { migrationLockTimeoutMs, runPendingMigrations, type ReportWait } from './runMigrations';
import { migrationSettings } from './sessionSettings';

const fail = (error: Error): never => {
  throw error;
};

/** Two connections: one migrates, the other watches what it waits for. */
const poolSize = 2;

/** Returns the data source of migrations, which run as the tables' owner, with a lock timeout as their only one. */
export function createMigrationDataSource(ownerUrl: string, lockTimeoutMs = migrationLockTimeoutMs): DataSource {
  return createDataSource(ownerUrl, poolSize, fail, { settings: migrationSettings(lockTimeoutMs), requiresResponses: false });
}

const lockRetryIntervalMs = 200;
const tryLock = "SELECT 1 WHERE pg_try_advisory_lock(hashtext('institution-api migrations'))";

/** Polls, because a statement that waits in Postgres would block an index that another process builds concurrently, and vice versa. */
async function acquireMigrationLock(runner: QueryRunner): Promise<void> {
  for (;;) {
    const taken: unknown = await runner.query(tryLock);
    if (Array.isArray(taken) && taken.length > 0) return;
    await pause(lockRetryIntervalMs);
  }
}

/** Returns the addresses of the service's role and of the tables' owner, who may be the same. Never through a pooler: locks of migrations belong to a session. */
export function migrationUrls({ DATABASE_URL: service, DATABASE_DIRECT_URL: direct, MIGRATION_DATABASE_URL: owner }: NodeJS.ProcessEnv): { service: string; owner: string } {
  if (service === undefined) throw new Error('DATABASE_URL is not set');
  return { service, owner: owner ?? (direct === undefined || direct === '' ? service : direct) };
}

/**
 * Migrates the database of `DATABASE_URL`, as the role of `MIGRATION_DATABASE_URL` if the owner is another one, and says so.
 */
export async function migrateFromEnvironment(environment: NodeJS.ProcessEnv): Promise<string> {
  const { service, owner } = migrationUrls(environment);
  await migrate(owner, service, (line) => process.stderr.write(`${line}\n`));
  return 'The schema is up to date.\n';
}

/**
 * Migrates the schema as its owner, and grants the role of `serviceUrl`, if it is another one, the service's privileges.
 * Several processes may run it at once: one waits for the other. The release before may run meanwhile: see {@link runPendingMigrations}.
 */
export async function migrate(ownerUrl: string, serviceUrl = ownerUrl, report?: ReportWait): Promise<void> {
  const dataSource = await createMigrationDataSource(ownerUrl).initialize();
  const runner = dataSource.createQueryRunner();
  try {
    await acquireMigrationLock(runner);
    const [owner, service] = [new URL(ownerUrl), new URL(serviceUrl)];
    await runPendingMigrations(dataSource, runner, { ...(report === undefined ? {} : { report }), finish: () => grantNewTables(runner, owner, service) });
    await grantServicePrivileges(runner, owner, service, report);
  } finally {
    await runner.query("SELECT pg_advisory_unlock(hashtext('institution-api migrations'))");
    await runner.release();
    await dataSource.destroy();
  }
}
