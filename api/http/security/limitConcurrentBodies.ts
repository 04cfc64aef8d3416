import { createKeyedSemaphore } from '../../../lib/keyedSemaphore';
import type { ApiMiddleware, RequestContext } from '../state';

/** How many large requests of one caller are worked on at the same time; the rest waits. */
const maxConcurrent = { json: 4, upload: 20 };

/** How long a request waits for a permit, in ms. */
const acquireTimeoutMs = 10_000;

/** Bodies up to this size are no matter, in bytes. */
const unlimitedBelowBytes = 256 * 1024;

type BodyKind = keyof typeof maxConcurrent;

/** What a request carries that takes memory, or a temporary file, for as long as it is worked on. */
function bodyKindOf({ headers }: RequestContext['req']): BodyKind | undefined {
  const { 'content-type': type = '', 'content-length': length, 'transfer-encoding': encoding } = headers;
  if (length === undefined ? encoding === undefined : Number(length) <= unlimitedBelowBytes) return undefined;
  return type.toLowerCase().startsWith('multipart/') ? 'upload' : 'json';
}

/** Whose limit it is: an institution's by its keys, else one person's. */
const concurrencyKey = ({ state: { key, platform } }: RequestContext): string => key?.institution.id ?? platform?.actorId ?? '';

/**
 * Lets each caller have 4 large JSON bodies and 20 uploads worked on at a time: the memory of one process, and its disk,
 * are everybody's. Further ones wait, unread, up to 10 s; then they are refused as `rate_limited`.
 */
export function limitConcurrentBodies(): ApiMiddleware {
  const semaphores = { json: createKeyedSemaphore(maxConcurrent.json, acquireTimeoutMs), upload: createKeyedSemaphore(maxConcurrent.upload, acquireTimeoutMs) };
  return async (ctx, next) => {
    const kind = bodyKindOf(ctx.req);
    if (kind === undefined) {
      await next();
      return;
    }
    await semaphores[kind].run(concurrencyKey(ctx), next);
  };
}
