import { isConnectionLoss } from '../../../db/connectionLoss';
import { isLockTimeout } from '../../../db/lockTimeout';
import type { Logger } from '../../../config/logger';
import { AcquireTimeout } from '../../../lib/keyedSemaphore';
import { DomainError, NotFoundError } from '../../../domain/errors';
import { errorResponse } from '../errors';
import { loggedFields } from '../request/issues';
import type { ApiMiddleware } from '../state';

/** How the pool says that no connection came in time. */
const connectionTimeoutMessage = 'timeout exceeded when trying to connect';

/** Whether a request failed for lack of capacity: no slot of a semaphore, no lock or no database connection in time. */
const isOverloaded = (error: unknown): boolean =>
  error instanceof AcquireTimeout || isLockTimeout(error) || (error instanceof Error && error.message === connectionTimeoutMessage);

const overloaded = (cause: unknown): DomainError => new DomainError('rate_limited', 'Too much is under way; try again.', {}, { cause });
const unreachable = (cause: unknown): DomainError => new DomainError('rate_limiter_unavailable', 'A store of the service cannot be reached at the moment; try again.', {}, { cause });

/** Turns an error into the specification's error body; an unexpected one is logged with its stack, and a lost store that was to be written to. */
export function respondWithErrors(logger: Logger): ApiMiddleware {
  return async (ctx, next) => {
    const progress = { commitSent: false };
    ctx.state.progress = progress;
    // 429 and 503 say that nothing was done. After a COMMIT that is not known, so nobody is asked to send the call again.
    const translate = (thrown: unknown): unknown => {
      if (progress.commitSent) return thrown;
      if (isOverloaded(thrown)) return overloaded(thrown);
      return isConnectionLoss(thrown) ? unreachable(thrown) : thrown;
    };
    try {
      await next();
    } catch (thrown) {
      const error = translate(thrown);
      const { status, body } = errorResponse(error, ctx.state.requestId);
      if (error instanceof NotFoundError && ctx.state.key?.environment === 'test') body.message += ' A test key finds what is in its sandbox alone.';
      ctx.state.error = body.error;
      if (error instanceof DomainError && error.reason !== undefined) ctx.state.reason = error.reason;
      if (body.issues !== undefined) ctx.state.fields = loggedFields(body.issues);
      if (body.error === 'insufficient_scope' && body.missing !== undefined) ctx.state.missing = body.missing;
      if (status === 500) logger.error({ err: error, request_id: ctx.state.requestId, route: ctx.state.route }, 'request failed');
      if (error !== thrown && status === 503) logger.warn({ err: thrown, request_id: ctx.state.requestId, route: ctx.state.route }, 'a store cannot be reached');
      if (status === 429 && !ctx.res.hasHeader('Retry-After')) ctx.set('Retry-After', '1');
      if (status === 503 && !ctx.res.hasHeader('Retry-After')) ctx.set('Retry-After', '5');
      if (status === 401) ctx.set('WWW-Authenticate', 'Bearer');
      ctx.set('Cache-Control', 'no-store');
      ctx.status = status;
      ctx.body = body;
    }
  };
}
