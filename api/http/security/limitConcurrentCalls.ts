import { createKeyedSemaphore } from '../../../lib/keyedSemaphore';
import type { ApiMiddleware } from '../state';

/** How many calls of one person are worked on at the same time. Files may come slowly, and must not hold up what else an app does. */
const maxConcurrent = { call: 4, upload: 20 };

/** How long a call waits for a permit, in ms. */
const acquireTimeoutMs = 5_000;

/**
 * Lets each person, with all their sessions, have 4 calls and 20 uploads worked on at a time. Further ones wait,
 * unread, up to 5 s; then they are refused as `rate_limited`. Keys have their limit a minute instead.
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
