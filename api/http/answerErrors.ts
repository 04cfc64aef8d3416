import type { Logger } from '../../config/logger';
import { errorAnswer } from './errors';
import type { ApiMiddleware } from './state';

/** Turns whatever a request ended with into the specification's error body; what nobody foresaw is logged with its stack. */
export function answerErrors(logger: Logger): ApiMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
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
