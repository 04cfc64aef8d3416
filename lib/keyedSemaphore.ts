/** No slot became free in time: too many tasks with the same key are running. */
export class AcquireTimeout extends Error {
  override readonly name = 'AcquireTimeout';
}

/**
 * Limits the number of concurrent tasks per key; the others wait in order. A slot is always bound to a task or signal that
 * releases it, so that none can leak.
 */
export interface KeyedSemaphore {
  /** Runs the task in a slot, and always releases the slot; rejects like {@link acquireUntil} before the task starts. */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
  /**
   * Resolves when a slot is acquired, which is released when the signal aborts. Rejects if no slot becomes free within the
   * timeout, and with the signal's reason, without a slot, if it is aborted before.
   */
  acquireUntil(key: string, until: AbortSignal): Promise<void>;
}

interface KeyState {
  acquired: number;
  waiting: Set<() => void>;
}

/**
 * Returns a semaphore with `slots` per key. A task waits at most `acquireTimeoutMs`; after it, or immediately if
 * `maxWaiting` tasks with its key wait already, it fails with the result of `createTimeoutError`.
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
  const stateOf = (key: string): KeyState => {
    const known = states.get(key);
    if (known !== undefined) return known;
    const state = { acquired: 0, waiting: new Set<() => void>() };
    states.set(key, state);
    return state;
  };
  /** Acquires a slot, which the caller must release; undefined if it has it at once. */
  const acquire = (state: KeyState, until?: AbortSignal): Promise<void> | undefined => {
    if (state.acquired < slots) {
      state.acquired += 1;
      return undefined;
    }
    if (state.waiting.size >= maxWaiting) throw createTimeoutError();
    return wait(state, until);
  };
  return {
    run: async (key, work) => {
      const state = stateOf(key);
      const acquired = acquire(state);
      // Most calls need not wait, and an await of nothing costs them a microtask.
      if (acquired !== undefined) await acquired;
      try {
        return await work();
      } finally {
        release(key, state);
      }
    },
    acquireUntil: async (key, until) => {
      until.throwIfAborted();
      const state = stateOf(key);
      await acquire(state, until);
      const releaseSlot = (): void => release(key, state);
      // The signal may have aborted after the slot was granted and before this line; then it fires no further event.
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
  return reason instanceof Error ? reason : new Error('The signal that held the slot was aborted', { cause: reason });
}

/** A function, so that the type checker does not assume the value unchanged after an await. */
const isAborted = ({ aborted }: AbortSignal): boolean => aborted;
