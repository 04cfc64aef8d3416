import type { Redis } from 'ioredis';
import { DomainError } from '../../../domain/errors';
import type { ApiMiddleware } from '../state';
import { requestCounter } from './rateLimit';

/** The operations that anybody may call to sign in, and the calls of one client address to each in a minute: a school may have one address. */
const callsPerMinute: ReadonlyMap<string, number> = new Map([
  ['/platform/v1/sign-in/codes', 300],
  ['/platform/v1/sign-in/sessions', 600],
]);

/**
 * Limits sign-ins by the address of the client, where it is known: `rate_limited` beyond 300 requests for codes and 600 tries in
 * a minute. If Redis does not respond within 200 ms, it fails closed with `rate_limiter_unavailable`.
 */
export function limitClientAddress(redis: Redis): ApiMiddleware {
  const count = requestCounter(redis);
  return async (ctx, next) => {
    const limit = ctx.method === 'POST' ? callsPerMinute.get(ctx.path) : undefined;
    const { clientAddress } = ctx.state;
    if (limit !== undefined && clientAddress !== undefined) {
      const { calls, reset, second } = await count(ctx, `${ctx.path}:${clientAddress}`);
      if (calls > limit) {
        ctx.set('Retry-After', String(reset - second));
        throw new DomainError('rate_limited', `More than ${limit} of these calls came from this address in this minute.`);
      }
    }
    await next();
  };
}
