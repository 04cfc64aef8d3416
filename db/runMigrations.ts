import { setTimeout as pause } from 'node:timers/promises';
import { MigrationExecutor, type DataSource, type Migration, type QueryRunner } from 'typeorm';
import { isLockTimeout } from './lockTimeout';
import { watchLocks } from './migrationLocks';

/** How often, and after which pauses, a migration is tried again that did not get a lock. */
export interface LockRetry {
  readonly tries: number;
  /** Each pause is longer by this much, up to the longest. */
  readonly pauseMs: number;
  readonly longestPauseMs: number;
}

/** Everybody who wants a table waits behind a migration that waits for it: no longer than this at a time. */
export const migrationLockTimeoutMs = 2_000;

/** Together about 4 minutes, of which others wait 1 at most. */
export const migrationLockRetry: LockRetry = { tries: 30, pauseMs: 500, longestPauseMs: 10_000 };

const deadlockDetected = '40P01';
const isDeadlock = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === deadlockDetected;

/** Called with a sentence for each try that did not get a lock, and for an index that waits for long to be built. */
export type ReportWait = (line: string) => void;

/** What may be set of a run. */
export interface MigrationRun {
  readonly retry?: LockRetry;
  readonly report?: ReportWait;
  /** Runs at the end of each migration, in its transaction if there is one. */
  readonly finish?: FinishMigration;
}

/** What a migration ends with, whichever it is. */
type FinishMigration = (runner: QueryRunner) => Promise<void>;

/**
 * Runs the pending migrations in order, each in a transaction unless it says otherwise. One that does not get a lock in time, or is in
 * a deadlock, is rolled back and tried again whole; one without a transaction must be repeatable for that. Fails with the table and
 * who holds its lock after the last try; the migrations before are done.
 */
export async function runPendingMigrations(dataSource: DataSource, runner: QueryRunner, { retry = migrationLockRetry, report = () => undefined, finish = async () => undefined }: MigrationRun = {}): Promise<void> {
  const executor = new MigrationExecutor(dataSource, runner);
  const pid = await processIdOf(runner);
  const tryOnce = (migration: Migration): Promise<string | undefined> => tryMigration({ dataSource, executor, runner, pid, report, finish }, migration);
  for (const migration of await executor.getPendingMigrations()) {
    for (let tried = 1; ; tried += 1) {
      const wait = await tryOnce(migration);
      if (wait === undefined) break;
      if (tried >= retry.tries) throw new Error(`Migration ${migration.name} gave up after ${tried} tries: ${wait}. End that transaction, then migrate again.`);
      report(`Migration ${migration.name}, try ${tried} of ${retry.tries}: ${wait}.`);
      await pause(Math.min(tried * retry.pauseMs, retry.longestPauseMs));
    }
  }
}

interface Session {
  readonly dataSource: DataSource;
  readonly executor: MigrationExecutor;
  readonly runner: QueryRunner;
  readonly pid: number;
  readonly report: ReportWait;
  readonly finish: FinishMigration;
}

/** Returns undefined once it is done, and what it waited for if it did not get a lock; any other error is thrown. */
async function tryMigration({ dataSource, executor, runner, pid, report, finish }: Session, migration: Migration): Promise<string | undefined> {
  const watch = watchLocks(dataSource, pid, (wait) => { report(`Migration ${migration.name} waits: ${wait}.`); });
  try {
    await execute(executor, runner, migration, finish);
    return undefined;
  } catch (error) {
    if (isDeadlock(error)) return 'it was in a deadlock';
    if (!isLockTimeout(error)) throw error;
    return watch.last() ?? 'a lock was not free in time';
  } finally {
    await watch.stop();
  }
}

/** TypeORM's executor writes the migration into its table, in the same transaction if there is one. */
async function execute(executor: MigrationExecutor, runner: QueryRunner, migration: Migration, finish: FinishMigration): Promise<void> {
  const inTransaction = migration.instance?.transaction !== false;
  try {
    if (inTransaction) await runner.startTransaction();
    await executor.executeMigration(migration);
    await finish(runner);
    if (inTransaction) await runner.commitTransaction();
  } catch (error) {
    // One that it began itself, too. Without a connection there is nothing to roll back; the first error says more.
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  }
}

async function processIdOf(runner: QueryRunner): Promise<number> {
  const rows: unknown = await runner.query('SELECT pg_backend_pid() AS pid');
  const row: unknown = Array.isArray(rows) ? rows[0] : undefined;
  if (typeof row !== 'object' || row === null || !('pid' in row) || typeof row.pid !== 'number') throw new Error('Postgres did not say the process of its session');
  return row.pid;
}
