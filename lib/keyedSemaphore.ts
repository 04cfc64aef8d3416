/** A turn did not come in time: too much of the same key is under way. */
export class AcquireTimeout extends Error {
  override readonly name = 'AcquireTimeout';
}

/**
 * Lets only so many of one key go on at the same time; the others wait their turn, in order. A place is always bound to what
 * gives it back, a piece of work or a signal: nobody is handed one that could be forgotten.
 */
export interface KeyedSemaphore {
  /** Does the work in a turn, and gives the place back however it ends; rejects as {@link acquireUntil} does, before any of it. */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
  /**
   * Resolves once a place is held, which is given back when the signal aborts. Rejects when the turn has not come within
   * the wait, and with the signal's reason, holding nothing, where it has aborted or aborts while the turn is waited for.
   */
  acquireUntil(key: string, until: AbortSignal): Promise<void>;
}

interface KeyState {
  acquired: number;
  waiting: Set<() => void>;
}

/**
 * `places` at a time for each key; a turn is waited for `acquireTimeoutMs` at most, and `late` makes the error of one that did not
 * come, at once where `mostWaiting` wait for the key already.
 */
export function createKeyedSemaphore(
  slots: number,
  acquireTimeoutMs: number,
  createTimeoutError: () => Error = () => new AcquireTimeout(`No slot free within ${acquireTimeoutMs} ms`),
  maxWaiting = Number.POSITIVE_INFINITY,
): KeyedSemaphore {
  const states = new Map<string, KeyState>();

  const release = (key: string, state: KeyState): void => {
    const [next] = state.waiting;
    if (next !== undefined) {
      next();
      return;
    }
    state.acquired -= 1;
    if (state.acquired === 0) states.delete(key);
  };
  const wait = (state: KeyState, until: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const removeWaiter = (): void => {
        clearTimeout(timer);
        until?.removeEventListener('abort', onAbort);
        state.waiting.delete(grant);
      };
      const grant = (): void => {
        removeWaiter();
        resolve();
      };
      const onAbort = (): void => {
        removeWaiter();
        reject(abortReason(until));
      };
      const timer = setTimeout(() => {
        removeWaiter();
        reject(createTimeoutError());
      }, acquireTimeoutMs);
      until?.addEventListener('abort', onAbort);
      state.waiting.add(grant);
    });
  /** Whoever calls it holds a place from then on, and gives it. */
  const acquire = async (key: string, until?: AbortSignal): Promise<KeyState> => {
    const state = states.get(key) ?? { acquired: 0, waiting: new Set() };
    states.set(key, state);
    if (state.acquired < slots) state.acquired += 1;
    else if (state.waiting.size >= maxWaiting) throw createTimeoutError();
    else await wait(state, until);
    return state;
  };
  return {
    run: async (key, work) => {
      const state = await acquire(key);
      try {
        return await work();
      } finally {
        release(key, state);
      }
    },
    acquireUntil: async (key, until) => {
      until.throwIfAborted();
      const state = await acquire(key, until);
      const releaseSlot = (): void => release(key, state);
      // It may have aborted between the turn and this line, and will not do so again.
      if (isAborted(until)) {
        releaseSlot();
        throw abortReason(until);
      }
      until.addEventListener('abort', releaseSlot, { once: true });
    },
  };
}

function abortReason(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error('What the place was for has ended', { cause: reason });
}

/** Asked anew after each wait. */
const isAborted = ({ aborted }: AbortSignal): boolean => aborted;
