import { withConnection } from '../../local/programs/postgres';
import type { TestApi } from './api';

/** Has Postgres look at what was planted, as on any service that has run for a minute: as the tables' owner, who alone may. */
export async function gatherStatistics({ stack }: Pick<TestApi, 'stack'>): Promise<void> {
  await withConnection(stack.ownerDatabaseUrl, (client) => client.query('ANALYZE'));
}
