const firstWaitMs = 5;
/** Number of skips after which the fan-out waits for the locks: endpoints locked repeatedly may never all be free at the same time. */
const maxSkips = 4;

interface SkippedEntry {
  times: number;
  retryAt: number;
}

/**
 * Institutions whose events the fan-out has skipped because another transaction held one of their locks. Each is retried
 * after 5 ms, then after twice as long each time: most locks are held for the length of a commit. After four skips the
 * fan-out that waits for locks takes it. Times are of a monotonic clock, in ms.
 */
export class SkippedInstitutions {
  private readonly skipped = new Map<string, SkippedEntry>();

  /** Records the result of a fan-out of all institutions except `left`: `locked` are skipped again, the others no longer. */
  recordResult(locked: readonly string[], left: readonly string[], now: number): void {
    const still = new Set([...locked, ...left]);
    for (const id of this.skipped.keys()) if (!still.has(id)) this.skipped.delete(id);
    for (const id of locked) {
      const times = (this.skipped.get(id)?.times ?? 0) + 1;
      this.skipped.set(id, { times, retryAt: now + firstWaitMs * 2 ** (times - 1) });
    }
  }

  /** Returns the institutions that are not retried yet, or are waited for. */
  excluded(now: number): string[] {
    return [...this.skipped].filter(([, { times, retryAt }]) => times >= maxSkips || retryAt > now).map(([id]) => id);
  }

  /** Returns the institutions whose locks must be waited for. */
  awaitingLock(): string[] {
    return [...this.skipped].filter(([, { times }]) => times >= maxSkips).map(([id]) => id);
  }

  /** Records that an institution's locks were acquired: it is fanned out with the others again. */
  clear(id: string): void {
    this.skipped.delete(id);
  }

  /** Returns in how many ms the next of them is retried; undefined if there is none. */
  nextRetryMs(now: number): number | undefined {
    const tried = [...this.skipped.values()].filter(({ times }) => times < maxSkips);
    return tried.length === 0 ? undefined : Math.max(0, Math.min(...tried.map(({ retryAt }) => retryAt - now)));
  }
}
