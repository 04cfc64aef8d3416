import cors from '@koa/cors';
import { idempotencyKeyHeader, replayedHeader } from '../request/idempotencyKey';
import { DomainError } from '../../../domain/errors';
import type { ApiMiddleware } from '../state';

const exposedHeaders = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After', replayedHeader];

/**
 * Requests without an `Origin` pass; the service's own origins get CORS responses, preflight included, without a key; every
 * other origin is `403 forbidden` (section Authentication, 9). Runs before authentication.
 */
export function originPolicy(ownOrigins: readonly string[]): ApiMiddleware {
  const own = new Set(ownOrigins);
  const applyCors = cors({
    origin: (ctx) => ctx.get('Origin'),
    allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowHeaders: ['Authorization', 'Content-Type', idempotencyKeyHeader],
    exposeHeaders: exposedHeaders,
    maxAge: 600,
  });
  return async (ctx, next) => {
    const origin = ctx.get('Origin');
    if (origin !== '' && !own.has(origin)) throw new DomainError('forbidden', 'Browser calls from this origin are not allowed.');
    await applyCors(ctx, next);
  };
}
