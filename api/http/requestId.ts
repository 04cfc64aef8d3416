import { newId } from '../../domain/ids';
import type { ApiMiddleware } from './state';

/** Gives each request its id, sent as `X-Request-Id` with every response, and the `now` that its rules use. */
export function assignRequestId(): ApiMiddleware {
  return async (ctx, next) => {
    ctx.state.requestId = newId('req');
    ctx.state.now = new Date();
    ctx.set('X-Request-Id', ctx.state.requestId);
    await next();
  };
}
