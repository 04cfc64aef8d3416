import { createKeyedSemaphore, type KeyedSemaphore } from '../../../lib/keyedSemaphore';
import type { OperationRecord } from '../operation';
import { hasBody } from '../request/deadlines';
import { decodePath } from '../router';
import type { ApiMiddleware, RequestContext } from '../state';

/** How many requests of a kind one caller has in progress at a time. */
export interface ConcurrencyLimit<Kind extends string> {
  /** Slots of a caller, by the kind of request. */
  slots: Readonly<Record<Kind, number>>;
  /** How long a request waits for a slot, in ms. */
  acquireTimeoutMs: number;
  /** The slot that a request takes: its kind, and whose it is; undefined if it needs none. */
  slotOf: (ctx: RequestContext, isUpload: boolean) => { kind: Kind; caller: string } | undefined;
}

/** The routes of operations that take an upload. */
export type UploadRoutes = readonly { method: string; path: RegExp }[];

/** Returns the routes of the records that take an upload, below a prefix. */
export function uploadRoutes(prefix: string, records: readonly OperationRecord<never>[]): UploadRoutes {
  return records
    .filter(({ request }) => request.upload !== undefined)
    .map(({ method, path }) => ({ method, path: new RegExp(`^${prefix}${path.replaceAll(/:\w+/g, '[^/]+')}$`) }));
}

/** Whether a request brings an upload: to an operation that takes one, with a body. Any other call could claim to be one by its content type. */
function isUpload({ method, path, req }: RequestContext, routes: UploadRoutes): boolean {
  if (!hasBody(req)) return false;
  const decoded = decodePath(path) ?? path;
  return routes.some((route) => route.method === method && route.path.test(decoded));
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
  slotOf: ({ req: { headers }, state: { key, platform } }, isUploaded) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = headers;
    if (length === undefined ? encoding === undefined : Number(length) <= unlimitedBelowBytes) return undefined;
    return { kind: isUploaded ? 'upload' : 'json', caller: key?.institution.id ?? platform?.actorId ?? '' };
  },
};

/** Calls of a person, with all their sessions. Uploads may arrive slowly, and must not block the other calls of an app. Keys have a limit per minute instead. */
export const callsOfPerson: ConcurrencyLimit<'call' | 'upload'> = {
  slots: { call: 4, upload: 20 },
  acquireTimeoutMs: 5_000,
  slotOf: ({ state: { platform } }, isUploaded) => {
    if (platform === undefined || platform.sessionId === null) return undefined;
    return { kind: isUploaded ? 'upload' : 'call', caller: platform.actorId };
  },
};

/** Lets each caller have a limited number of requests in progress. Further ones wait, unread; after the timeout they are refused as `rate_limited`. */
export function limitConcurrency<Kind extends string>({ slots, acquireTimeoutMs, slotOf }: ConcurrencyLimit<Kind>, routes: UploadRoutes): ApiMiddleware {
  const semaphores = new Map<string, KeyedSemaphore>(Object.entries<number>(slots).map(([kind, count]) => [kind, createKeyedSemaphore(count, acquireTimeoutMs)]));
  return async (ctx, next) => {
    const slot = slotOf(ctx, isUpload(ctx, routes));
    const semaphore = slot && semaphores.get(slot.kind);
    await (slot === undefined || semaphore === undefined ? next() : semaphore.run(slot.caller, next));
  };
}
