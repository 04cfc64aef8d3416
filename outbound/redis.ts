import { Redis } from 'ioredis';

/** How long a command may take before it is given up, in ms; who needs an answer sooner keeps a deadline of their own. */
const commandTimeoutMs = 1_000;

/**
 * A Redis client that fails fast: nothing is queued while the connection is down, and a command that hangs is
 * given up after 1 s. It reconnects by itself, at least once a second.
 */
export function openRedis(url: string, keyPrefix: string, onError: (error: Error) => void): Redis {
  const redis = new Redis(url, {
    keyPrefix,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: commandTimeoutMs,
    connectTimeout: 1_000,
    retryStrategy: (times) => Math.min(50 * times, 1_000),
  });
  redis.on('error', onError);
  return redis;
}

/** Waits until the connection is up, for so many ms at most: a process may start without Redis and find it later. */
export async function awaitConnection(redis: Redis, withinMs: number): Promise<void> {
  if (redis.status === 'ready') return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, withinMs);
    redis.once('ready', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
