import { createDataSource } from './database';
import { grantService } from './rights';

const fail = (error: Error): never => {
  throw error;
};

/**
 * Brings the schema up to date as its owner, and gives the role of `serviceUrl`, where that is another one, the rights that
 * the service has; safe to run from several processes at once (one waits for the other).
 */
export async function migrate(ownerUrl: string, serviceUrl = ownerUrl): Promise<void> {
  const dataSource = await createDataSource(ownerUrl, 2, fail).initialize();
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query('SET lock_timeout = 0');
    await runner.query("SELECT pg_advisory_lock(hashtext('institution-api migrations'))");
    await dataSource.runMigrations();
    await grantService(runner, new URL(ownerUrl), new URL(serviceUrl));
  } finally {
    await runner.query("SELECT pg_advisory_unlock(hashtext('institution-api migrations'))");
    await runner.release();
    await dataSource.destroy();
  }
}
