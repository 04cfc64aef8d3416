import { createDataSource } from './database';

const fail = (error: Error): never => {
  throw error;
};

/** Brings the schema up to date; safe to run from several processes at once (one waits for the other). */
export async function migrate(databaseUrl: string): Promise<void> {
  const dataSource = await createDataSource(databaseUrl, 2, fail).initialize();
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query('SET lock_timeout = 0');
    await runner.query("SELECT pg_advisory_lock(hashtext('institution-api migrations'))");
    await dataSource.runMigrations();
  } finally {
    await runner.query("SELECT pg_advisory_unlock(hashtext('institution-api migrations'))");
    await runner.release();
    await dataSource.destroy();
  }
}
