import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { migrate } from '../../db/migrate';
import { startPostgres } from '../../local/programs/postgres';
import { startDedicatedServer, type DedicatedServer } from './dedicatedServer';

/** A migrated Postgres server of one test file. */
export interface DedicatedPostgres extends DedicatedServer {
  url: string;
}

/** Keeps what it has committed when it is killed; only a crash of the machine would cost something. */
const settings = { fsync: 'off', max_connections: '100' };

/** Starts it in a folder of its own; takes some seconds. */
export async function startDedicatedPostgres(): Promise<DedicatedPostgres> {
  const { started, server } = await startDedicatedServer('postgres', ({ folder, ...parts }) =>
    startPostgres({ ...parts, dataDir: join(folder, 'data'), password: randomBytes(16).toString('hex'), database: 'institution', settings }),
  );
  await migrate(started.url);
  return { ...server, url: started.url };
}
