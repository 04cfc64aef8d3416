import { startRedis } from '../../local/programs/redis';
import { startOwnServer, type OwnServer } from './dedicatedServer';

/** A Redis server of one test file; what it counted is gone when it ends. */
export interface OwnRedis extends OwnServer {
  url: string;
}

/** Starts it on a free port. */
export async function startOwnRedis(): Promise<OwnRedis> {
  const { started, server } = await startOwnServer('redis', startRedis);
  return { ...server, url: started.url };
}
