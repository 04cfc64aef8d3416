import { createKeyedSemaphore, type KeyedSemaphore } from '../../../lib/keyedSemaphore';
import type { ApiMiddleware, RequestContext } from '../state';

/** How many requests of a kind one caller has in progress at a time. */
export interface ConcurrencyLimit<Kind extends string> {
  /** Slots of a caller, by the kind of request. */
  slots: Readonly<Record<Kind, number>>;
  /** How long a request waits for a slot, in ms. */
  acquireTimeoutMs: number;
  /** The slot that a request takes: its kind, and whose it is; undefined if it needs none. */
  slotOf: (ctx: RequestContext) => { kind: Kind; caller: string } | undefined;
}

/** Bodies up to this size need no slot, in bytes. */
const unlimitedBelowBytes = 256 * 1024;

/**
 * Large JSON bodies and uploads of an institution by its keys, else of one person: they take memory of the process, or its
 * disk, for as long as they are in progress.
 */
export const largeBodies: ConcurrencyLimit<'json' | 'upload'> = {
  slots: { json: 4, upload: 20 },
  acquireTimeoutMs: 10_000,
  slotOf: ({ req: { headers }, state: { key, platform } }) => {
    const { 'content-type': type = '', 'content-length': length, 'transfer-encoding': encoding } = headers;
    if (length === undefined ? encoding === undefined : Number(length) <= unlimitedBelowBytes) return undefined;
    return { kind: type.toLowerCase().startsWith('multipart/') ? 'upload' : 'json', caller: key?.institution.id ?? platform?.actorId ?? '' };
  },
};

/** Whether a request has a multipart body. One of length 0 has none, regardless of its content type: any call could claim to be an upload. */
function isUpload(ctx: RequestContext): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = ctx.req.headers;
  return (encoding !== undefined || Number(length) > 0) && typeof ctx.is('multipart/*') === 'string';
}

/** Calls of a person, with all their sessions. Uploads may arrive slowly, and must not block the other calls of an app. Keys have a limit per minute instead. */
export const callsOfPerson: ConcurrencyLimit<'call' | 'upload'> = {
  slots: { call: 4, upload: 20 },
  acquireTimeoutMs: 5_000,
  slotOf: (ctx) => {
    const { platform } = ctx.state;
    if (platform === undefined || platform.sessionId === null) return undefined;
    return { kind: isUpload(ctx) ? 'upload' : 'call', caller: platform.actorId };
  },
};

/** Lets each caller have a limited number of requests in progress. Further ones wait, unread; after the timeout they are refused as `rate_limited`. */
export function limitConcurrency<Kind extends string>({ slots, acquireTimeoutMs, slotOf }: ConcurrencyLimit<Kind>): ApiMiddleware {
  const semaphores = new Map<string, KeyedSemaphore>(Object.entries<number>(slots).map(([kind, count]) => [kind, createKeyedSemaphore(count, acquireTimeoutMs)]));
  return async (ctx, next) => {
    const slot = slotOf(ctx);
    const semaphore = slot && semaphores.get(slot.kind);
    await (slot === undefined || semaphore === undefined ? next() : semaphore.run(slot.caller, next));
  };
}
