import { startRedis } from '../../local/programs/redis';
import { startDedicatedServer, type DedicatedServer } from './dedicatedServer';

/** A Redis server of one test file; what it counted is gone when it ends. */
export interface DedicatedRedis extends DedicatedServer {
  url: string;
}

/** Starts it on a free port. */
export async function startDedicatedRedis(): Promise<DedicatedRedis> {
  const { started, server } = await startDedicatedServer('redis', startRedis);
  return { ...server, url: started.url };
}
