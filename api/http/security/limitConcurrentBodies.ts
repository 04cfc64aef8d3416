import { createKeyedSemaphore } from '../../../lib/keyedSemaphore';
import type { ApiMiddleware, RequestContext } from '../state';

/** Maximum number of concurrent large requests of one caller; further ones wait. */
const maxConcurrent = { json: 4, upload: 20 };

/** How long a request waits for a slot, in ms. */
const acquireTimeoutMs = 10_000;

/** Bodies up to this size, in bytes, are not limited. */
const unlimitedBelowBytes = 256 * 1024;

type BodyKind = keyof typeof maxConcurrent;

/** The kind of body that occupies memory or a temporary file during the request. */
function bodyKindOf({ headers }: RequestContext['req']): BodyKind | undefined {
  const { 'content-type': type = '', 'content-length': length, 'transfer-encoding': encoding } = headers;
  if (length === undefined ? encoding === undefined : Number(length) <= unlimitedBelowBytes) return undefined;
  return type.toLowerCase().startsWith('multipart/') ? 'upload' : 'json';
}

/** The key of the limit: the institution of an API key, otherwise the person. */
const concurrencyKey = ({ state: { key, platform } }: RequestContext): string => key?.institution.id ?? platform?.actorId ?? '';

/**
 * Limits each caller to 4 concurrent large JSON bodies and 20 uploads, because all callers share the memory and disk of a
 * process. Further ones wait, unread, up to 10 s; then they are `rate_limited`.
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
