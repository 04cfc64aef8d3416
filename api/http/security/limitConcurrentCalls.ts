import { createKeyedSemaphore } from '../../../lib/keyedSemaphore';
import type { ApiMiddleware } from '../state';

/** Maximum number of concurrent calls of one person. Uploads may be slow and must not delay an app's other calls. */
const maxConcurrent = { call: 4, upload: 20 };

/** How long a call waits for a slot, in ms. */
const acquireTimeoutMs = 5_000;

/**
 * Limits each person, over all sessions, to 4 concurrent calls and 20 uploads. Further ones wait, unread, up to 5 s; then
 * they are `rate_limited`. API keys have their rate limit instead.
 */
export function limitConcurrentCalls(): ApiMiddleware {
  const semaphores = { call: createKeyedSemaphore(maxConcurrent.call, acquireTimeoutMs), upload: createKeyedSemaphore(maxConcurrent.upload, acquireTimeoutMs) };
  return async (ctx, next) => {
    const { platform } = ctx.state;
    if (platform === undefined || platform.sessionId === null) {
      await next();
      return;
    }
    const kind = typeof ctx.is('multipart/*') === 'string' ? 'upload' : 'call';
    await semaphores[kind].run(platform.actorId, next);
  };
}
