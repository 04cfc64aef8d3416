import type { Logger } from '../../../config/logger';
import { NoTurn } from '../../../lib/keyedSemaphore';
import { DomainError } from '../../../domain/errors';
import { errorAnswer } from '../errors';
import type { ApiMiddleware } from '../state';

/** How Postgres says that a lock did not come in time, and the pool that no connection did. */
const noLock = '55P03';
const noConnection = 'timeout exceeded when trying to connect';

/** Whether a request found no place among others: no turn of its institution, no lock, no connection to the database in time. */
const crowded = (error: unknown): boolean =>
  error instanceof NoTurn || (error instanceof Error && (('code' in error && error.code === noLock) || error.message === noConnection));

/** Turns whatever a request ended with into the specification's error body; what nobody foresaw is logged with its stack. */
export function answerErrors(logger: Logger): ApiMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = crowded(thrown) ? new DomainError('rate_limited', 'Too much is under way; try again.', {}, { cause: thrown }) : thrown;
      const { status, body } = errorAnswer(error, ctx.state.requestId);
      if (status === 500) logger.error({ err: error, request_id: ctx.state.requestId, route: ctx.state.route }, 'request failed');
      if (status === 429 && !ctx.res.hasHeader('Retry-After')) ctx.set('Retry-After', '1');
      if (status === 401) ctx.set('WWW-Authenticate', 'Bearer');
      ctx.set('Cache-Control', 'no-store');
      ctx.status = status;
      ctx.body = body;
    }
  };
}
