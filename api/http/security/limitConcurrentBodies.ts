import { createTurns } from '../../../lib/keyedSemaphore';
import type { ApiMiddleware, RequestContext } from '../state';

/** How many large requests of one caller are worked on at the same time; the rest waits. */
const places = { json: 4, upload: 20 };

/** How long a request waits for its turn, in ms. */
const turnWaitMs = 10_000;

/** Bodies up to this size are no matter, in bytes. */
const smallBytes = 256 * 1024;

type Kind = keyof typeof places;

/** What a request carries that takes memory, or a temporary file, for as long as it is worked on. */
function kindOf({ headers }: RequestContext['req']): Kind | undefined {
  const { 'content-type': type = '', 'content-length': length, 'transfer-encoding': encoding } = headers;
  if (length === undefined ? encoding === undefined : Number(length) <= smallBytes) return undefined;
  return type.toLowerCase().startsWith('multipart/') ? 'upload' : 'json';
}

/** Whose turn it is: an institution's by its keys, else one person's. */
const callerOf = ({ state: { key, platform } }: RequestContext): string => key?.institution.id ?? platform?.actorId ?? '';

/**
 * Lets each caller have 4 large JSON bodies and 20 uploads worked on at a time: the memory of one process, and its disk,
 * are everybody's. Further ones wait, unread, up to 10 s; then they are refused as `rate_limited`.
 */
export function turnsOfBodies(): ApiMiddleware {
  const turns = { json: createTurns(places.json, turnWaitMs), upload: createTurns(places.upload, turnWaitMs) };
  return async (ctx, next) => {
    const kind = kindOf(ctx.req);
    if (kind === undefined) {
      await next();
      return;
    }
    await turns[kind].run(callerOf(ctx), next);
  };
}
