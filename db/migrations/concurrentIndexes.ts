import type { QueryRunner } from 'typeorm';

type Indexes = Readonly<Record<string, string>>;

/**
 * Builds indexes while others write, which no transaction can do; by name, each with its table, columns and condition. A build that
 * broke off leaves an index that is not valid, which is dropped first.
 */
export const buildConcurrently = (runner: QueryRunner, indexes: Indexes): Promise<void> => build(runner, 'INDEX', indexes);

/** The same of unique indexes. */
export const buildUniqueConcurrently = (runner: QueryRunner, indexes: Indexes): Promise<void> => build(runner, 'UNIQUE INDEX', indexes);

/** Drops an index while others write; no-op without it. */
export const dropConcurrently = (runner: QueryRunner, name: string): Promise<void> => waitForTransactions(runner, `DROP INDEX CONCURRENTLY IF EXISTS ${name}`);

async function build(runner: QueryRunner, kind: 'INDEX' | 'UNIQUE INDEX', indexes: Indexes): Promise<void> {
  for (const [name, rows] of Object.entries(indexes)) {
    const leftOver: unknown = await runner.query(`SELECT 1 FROM pg_index WHERE indexrelid = to_regclass('${name}') AND NOT indisvalid`);
    if (Array.isArray(leftOver) && leftOver.length > 0) await dropConcurrently(runner, name);
    await waitForTransactions(runner, `CREATE ${kind} CONCURRENTLY IF NOT EXISTS ${name} ON ${rows}`);
  }
}

/**
 * Runs a statement without the lock timeout of migrations: one that is concurrent waits for every transaction that may use the table,
 * holds up neither readers nor writers meanwhile, and would begin anew after a timeout.
 */
async function waitForTransactions(runner: QueryRunner, statement: string): Promise<void> {
  await runner.query('SET lock_timeout = 0');
  try {
    await runner.query(statement);
  } finally {
    await runner.query('RESET lock_timeout');
  }
}
