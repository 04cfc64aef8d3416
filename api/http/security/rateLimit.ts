import type { Redis, Result } from 'ioredis';
import { DomainError } from '../../../domain/errors';
import type { ApiMiddleware, RequestContext } from '../state';

const windowSeconds = 60;
const retryAfterSeconds = 5;

// The clock of Redis, so that every API process counts in the same bucket.
const countScript = `
local second = tonumber(redis.call('TIME')[1])
local reset = second - second % ${windowSeconds} + ${windowSeconds}
local bucket = KEYS[1] .. ':' .. reset
local count = redis.call('INCR', bucket)
if count == 1 then redis.call('EXPIRE', bucket, ${windowSeconds * 2}) end
return { count, reset, second }
`;

/** Timeout of Redis for counting a request, in ms. */
const countDeadlineMs = 200;

/**
 * Resolves with the counter's response; rejects when it is overdue. A process that was itself busy first checks whether the
 * response has arrived: its own pause must not count as a timeout.
 */
async function withDeadline<Counted>(counting: Promise<Counted>): Promise<Counted> {
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => setImmediate(() => reject(new Error(`no answer within ${countDeadlineMs} ms`))), countDeadlineMs);
  });
  try {
    return await Promise.race([counting, overdue]);
  } finally {
    clearTimeout(timer);
  }
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    countRequest(bucket: string): Result<[count: number, reset: number, second: number], Context>;
  }
}

/** The calls in a bucket, this one included; the window's end and the time now, in Unix seconds. */
export interface CountedCall {
  calls: number;
  reset: number;
  second: number;
}

/**
 * Returns a function that counts a call in a bucket of 60 seconds, aligned to the minute (section Limits). If Redis does not
 * respond within 200 ms, it fails with `rate_limiter_unavailable`.
 */
export function requestCounter(redis: Redis): (ctx: RequestContext, bucket: string) => Promise<CountedCall> {
  redis.defineCommand('countRequest', { numberOfKeys: 1, lua: countScript });
  return async (ctx, bucket) => {
    const [calls, reset, second] = await withDeadline(redis.countRequest(`rate:${bucket}`)).catch((cause: unknown) => {
      ctx.set('Retry-After', String(retryAfterSeconds));
      throw new DomainError('rate_limiter_unavailable', 'The rate limiter cannot be reached; try again.', {}, { cause });
    });
    return { calls, reset, second };
  };
}

/** The per-key limiter (section Limits). Rejects with `rate_limited`; fails closed. */
export function rateLimit(redis: Redis): ApiMiddleware {
  const count = requestCounter(redis);
  return async (ctx, next) => {
    const { key } = ctx.state;
    if (key === undefined) throw new Error('The limiter runs after authentication');
    const { calls, reset, second } = await count(ctx, key.id);
    ctx.set('X-RateLimit-Limit', String(key.rateLimitPerMin));
    ctx.set('X-RateLimit-Remaining', String(Math.max(0, key.rateLimitPerMin - calls)));
    ctx.set('X-RateLimit-Reset', String(reset));
    if (calls > key.rateLimitPerMin) {
      ctx.set('Retry-After', String(reset - second));
      throw new DomainError('rate_limited', `More than ${key.rateLimitPerMin} requests in this minute; retry in ${reset - second} s.`);
    }
    await next();
  };
}
