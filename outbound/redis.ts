import { Redis, type RedisOptions } from 'ioredis';
import type { RedisSentinels, RedisSettings } from '../config/redisSettings';

/** Timeout of a command, in ms; callers with a shorter deadline have their own. */
const commandTimeoutMs = 1_000;

/** How the primary is found, and left once another one is. */
function bySentinels({ addresses, name, password }: RedisSentinels, encrypted: boolean): RedisOptions {
  return {
    sentinels: addresses,
    name,
    ...(password === '' ? {} : { sentinelPassword: password }),
    ...(encrypted ? { enableTLSForSentinelMode: true, sentinelTLS: {} } : {}),
    sentinelRetryStrategy: (times) => Math.min(50 * times, 1_000),
    connectTimeout: 1_000,
    // A primary that hangs closes nothing: the Sentinels say that there is another one.
    failoverDetector: true,
    // One that was the primary takes no writes.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  };
}

/**
 * Returns a Redis client that fails fast: commands are not queued while the connection is down, and time out after 1 s. It
 * reconnects automatically, at least once a second; with Sentinels, to the primary that they name then.
 */
export function openRedis({ redisUrl, redisKeyPrefix, redisSentinels }: RedisSettings, onError: (error: Error) => void): Redis {
  const redis = new Redis(redisUrl, {
    keyPrefix: redisKeyPrefix,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: commandTimeoutMs,
    connectTimeout: 1_000,
    retryStrategy: (times) => Math.min(50 * times, 1_000),
    ...(redisSentinels === null ? {} : bySentinels(redisSentinels, redisUrl.startsWith('rediss:'))),
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
