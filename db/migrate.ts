import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import { createDataSource } from './database';
import { grantServicePrivileges } from './privileges';

const fail = (error: Error): never => {
  throw error;
};

/** A migration takes what it takes, and waits for the service's locks, which the service's own bounds let go. */
const noTimeouts = '-c lock_timeout=0 -c statement_timeout=0 -c idle_in_transaction_session_timeout=0';

/** The data source on which migrations run, as their owner; every connection of it is without the bounds of the service. */
export function createMigrationDataSource(ownerUrl: string): DataSource {
  return createDataSource(ownerUrl, 2, fail, noTimeouts);
}

const lockRetryIntervalMs = 200;
const tryLock = "SELECT 1 WHERE pg_try_advisory_lock(hashtext('institution-api migrations'))";

/** Polls: a statement that waits in Postgres would block an index that another process builds concurrently, and that process would block us. */
async function acquireMigrationLock(runner: QueryRunner): Promise<void> {
  for (;;) {
    const taken: unknown = await runner.query(tryLock);
    if (Array.isArray(taken) && taken.length > 0) return;
    await pause(lockRetryIntervalMs);
  }
}

/**
 * Brings the schema up to date as its owner, and gives the role of `serviceUrl`, where that is another one, the rights that
 * the service has; safe to run from several processes at once (one waits for the other).
 */
export async function migrate(ownerUrl: string, serviceUrl = ownerUrl): Promise<void> {
  const dataSource = await createMigrationDataSource(ownerUrl).initialize();
  const runner = dataSource.createQueryRunner();
  try {
    await acquireMigrationLock(runner);
    await dataSource.runMigrations();
    await grantServicePrivileges(runner, new URL(ownerUrl), new URL(serviceUrl));
  } finally {
    await runner.query("SELECT pg_advisory_unlock(hashtext('institution-api migrations'))");
    await runner.release();
    await dataSource.destroy();
  }
}
