const firstWaitMs = 5;
/** One that was passed over so many times is waited for: where endpoints are locked again and again, no moment may have all of them free. */
const maxSkips = 4;

interface SkippedEntry {
  times: number;
  retryAt: number;
}

/**
 * Institutions whose events the fan-out has passed over because somebody held a lock of theirs. Each is tried again after 5 ms,
 * then after twice as long each time: most locks are held for the length of a commit. After four times it is left to
 * whoever waits for its locks. Times are of a clock that only rises, in ms.
 */
export class SkippedInstitutions {
  private readonly skipped = new Map<string, SkippedEntry>();

  /** Notes what a fan-out that looked at all but those in `left` came to: `locked` are passed over again, the others no longer. */
  recordResult(locked: readonly string[], left: readonly string[], now: number): void {
    const still = new Set([...locked, ...left]);
    for (const id of this.skipped.keys()) if (!still.has(id)) this.skipped.delete(id);
    for (const id of locked) {
      const times = (this.skipped.get(id)?.times ?? 0) + 1;
      this.skipped.set(id, { times, retryAt: now + firstWaitMs * 2 ** (times - 1) });
    }
  }

  /** The institutions that are not to be tried yet, or are waited for. */
  excluded(now: number): string[] {
    return [...this.skipped].filter(([, { times, retryAt }]) => times >= maxSkips || retryAt > now).map(([id]) => id);
  }

  /** The institutions whose locks are to be waited for. */
  awaitingLock(): string[] {
    return [...this.skipped].filter(([, { times }]) => times >= maxSkips).map(([id]) => id);
  }

  /** An institution's locks were got: it is fanned out with the others again. */
  clear(id: string): void {
    this.skipped.delete(id);
  }

  /** In how many ms the next of them is to be tried; undefined when none is. */
  nextRetryMs(now: number): number | undefined {
    const tried = [...this.skipped.values()].filter(({ times }) => times < maxSkips);
    return tried.length === 0 ? undefined : Math.max(0, Math.min(...tried.map(({ retryAt }) => retryAt - now)));
  }
}
