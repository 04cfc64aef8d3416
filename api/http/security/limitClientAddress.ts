import type { Redis } from 'ioredis';
import { DomainError } from '../../../domain/errors';
import { addressNetwork } from '../../../lib/addressNetwork';
import { decodePath } from '../router';
import type { ApiMiddleware, RequestContext } from '../state';
import { requestCounter, type CountedCall } from './rateLimit';

/** The operations that anybody may call, and the calls of one client address to each in a minute: a school may have one address. */
const callsPerMinute: ReadonlyMap<string, number> = new Map([
  ['/platform/v1/sign-in/codes', 300],
  ['/platform/v1/sign-in/sessions', 600],
  ['/platform/v1/guardian-invitations/accept', 300],
  ['/platform/v1/invitations/accept', 300],
]);

/** The calls of one client address in a minute, on the apps' listener: more than 5,000 people behind it make in an exam. */
export const appCallsPerMinute = 12_000;

function requireWithin(ctx: RequestContext, limit: number, { calls, reset, second }: CountedCall): void {
  if (calls <= limit) return;
  ctx.set('Retry-After', String(reset - second));
  throw new DomainError('rate_limited', `More than ${limit} of these calls came from this address in this minute.`);
}

/**
 * Limits the operations that anybody may call by the address of the client, an IPv6 address by its network:
 * `rate_limited` beyond 300 requests for codes, 600 sign-ins and 300 acceptances of invitations in a minute. If Redis does not
 * respond within 200 ms, it fails closed with `rate_limiter_unavailable`.
 */
export function limitClientAddress(redis: Redis): ApiMiddleware {
  const count = requestCounter(redis);
  return async (ctx, next) => {
    // The router decodes paths, too: `/sign-in/%63odes` is the same operation.
    const path = ctx.method === 'POST' ? (decodePath(ctx.path) ?? '') : '';
    const limit = callsPerMinute.get(path);
    const { clientAddress } = ctx.state;
    if (limit !== undefined && clientAddress !== undefined) requireWithin(ctx, limit, await count(ctx, `${path}:${addressNetwork(clientAddress)}`));
    await next();
  };
}

/**
 * Limits all calls of a client by its address: `rate_limited` beyond 12,000 in a minute. If Redis does not
 * respond within 200 ms, the call goes on: an exam under way needs no Redis.
 */
export function limitAllCalls(redis: Redis): ApiMiddleware {
  const count = requestCounter(redis);
  return async (ctx, next) => {
    const { clientAddress } = ctx.state;
    if (clientAddress !== undefined) {
      const counted = await count(ctx, `apps:${addressNetwork(clientAddress)}`).catch(() => undefined);
      if (counted === undefined) ctx.res.removeHeader('Retry-After');
      else requireWithin(ctx, appCallsPerMinute, counted);
    }
    await next();
  };
}
