/** What a claim found: nobody has the event, so that it is now the caller's; it was processed; or another call is at it. */
export type WebhookClaim = 'claimed' | 'processed' | 'processing';

/**
 * Where a handler records the events that it has processed, by their id. Handlers of several processes share one store,
 * a table or a Redis; `claim` must be atomic.
 */
export interface WebhookStore {
  /**
   * Claims an event for `leaseMs`, unless it was processed or another claim of it still holds. After `leaseMs` a claim may
   * be taken over: its process was killed.
   */
  claim(id: string, token: string, leaseMs: number): WebhookClaim | Promise<WebhookClaim>;
  /** Records that the event was processed. Keep the record for a month at least: so long may an event be sent again. */
  complete(id: string): unknown;
  /** Gives a claim up, so that the event can be claimed again. No-op where the event was processed, or the claim has another token. */
  release(id: string, token: string): unknown;
}

/** Returns the store; throws a TypeError for what lacks one of its methods, as a program in JavaScript may give it: every event would be answered 503. */
export function requireStore(store: WebhookStore): WebhookStore {
  if (typeof store === 'function') throw new TypeError('store is a function: call it, as in memoryStore()');
  for (const name of ['claim', 'complete', 'release'] as const) {
    if (typeof store[name] !== 'function') throw new TypeError(`store.${name} must be a function: a store has claim, complete and release`);
  }
  return store;
}

interface Claimed {
  token: string;
  /** By the clock of `performance`; undefined once the event was processed. */
  until: number | undefined;
}

/**
 * Returns a store in the memory of this process, for tests and receivers of one process whose work may be repeated after a
 * restart. It keeps the newest `maxEvents` (10,000) events.
 */
export function memoryStore({ maxEvents = 10_000 }: { maxEvents?: number | undefined } = {}): WebhookStore {
  const claims = new Map<string, Claimed>();
  /** Deletes the oldest processed events beyond the bound. */
  const trim = (): void => {
    for (const [id, { until }] of claims) {
      if (claims.size <= maxEvents) return;
      if (until === undefined || until <= performance.now()) claims.delete(id);
    }
  };
  return {
    claim: (id, token, leaseMs) => {
      const held = claims.get(id);
      if (held !== undefined && held.until === undefined) return 'processed';
      if (held?.until !== undefined && held.until > performance.now()) return 'processing';
      claims.set(id, { token, until: performance.now() + leaseMs });
      trim();
      return 'claimed';
    },
    complete: (id) => {
      // Deleted first, so that it counts as the newest.
      claims.delete(id);
      claims.set(id, { token: '', until: undefined });
      trim();
    },
    release: (id, token) => {
      if (claims.get(id)?.token === token) claims.delete(id);
    },
  };
}
