import { Redis } from 'ioredis';

/** Timeout of a command, in ms; callers with a shorter deadline have their own. */
const commandTimeoutMs = 1_000;

/**
 * Returns a Redis client that fails fast: commands are not queued while the connection is down, and time out after 1 s. It
 * reconnects automatically, at least once a second.
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

/** Waits for the connection, for at most `withinMs`: a process may start before Redis. */
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
