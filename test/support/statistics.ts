import { withConnection } from '../../local/programs/postgres';
import type { TestApi } from './api';

const asOwner = ({ stack }: Pick<TestApi, 'stack'>, text: string): Promise<void> =>
  withConnection(stack.ownerDatabaseUrl, async (client) => {
    await client.query(text);
  });

/** Has Postgres analyze what was seeded, as on any service that has run for a minute: as the tables' owner, who alone may. */
export const gatherStatistics = (api: Pick<TestApi, 'stack'>): Promise<void> => asOwner(api, 'ANALYZE');

/** The same, and has it note which rows everybody sees, so that an index alone can tell of them. */
export const vacuum = (api: Pick<TestApi, 'stack'>): Promise<void> => asOwner(api, 'VACUUM (ANALYZE)');
