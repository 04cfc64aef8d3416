import { Redis } from 'ioredis';

/** How long a command may take before the caller is told that the store is away, in ms. */
const commandTimeoutMs = 200;

/**
 * A Redis client that fails fast: nothing is queued while the connection is down, and a command that hangs is
 * given up after 200 ms. It reconnects by itself, at least once a second.
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
