const firstWaitMs = 5;
/** One that was passed over so many times is waited for: where endpoints are locked again and again, no moment may have all of them free. */
const mostPasses = 4;

interface Passed {
  times: number;
  tryAt: number;
}

/**
 * Institutions whose events the fan-out has passed over because somebody held a lock of theirs. Each is tried again after 5 ms,
 * then after twice as long each time: most locks are held for the length of a commit. After four times it is left to
 * whoever waits for its locks. Times are of a clock that only rises, in ms.
 */
export class PassedOver {
  private readonly passed = new Map<string, Passed>();

  /** Notes what a fan-out that looked at all but those in `left` came to: `locked` are passed over again, the others no longer. */
  note(locked: readonly string[], left: readonly string[], now: number): void {
    const still = new Set([...locked, ...left]);
    for (const id of this.passed.keys()) if (!still.has(id)) this.passed.delete(id);
    for (const id of locked) {
      const times = (this.passed.get(id)?.times ?? 0) + 1;
      this.passed.set(id, { times, tryAt: now + firstWaitMs * 2 ** (times - 1) });
    }
  }

  /** The institutions that are not to be tried yet, or are waited for. */
  waiting(now: number): string[] {
    return [...this.passed].filter(([, { times, tryAt }]) => times >= mostPasses || tryAt > now).map(([id]) => id);
  }

  /** The institutions whose locks are to be waited for. */
  stubborn(): string[] {
    return [...this.passed].filter(([, { times }]) => times >= mostPasses).map(([id]) => id);
  }

  /** An institution's locks were got: it is fanned out with the others again. */
  got(id: string): void {
    this.passed.delete(id);
  }

  /** In how many ms the next of them is to be tried; undefined when none is. */
  nextTryMs(now: number): number | undefined {
    const tried = [...this.passed.values()].filter(({ times }) => times < mostPasses);
    return tried.length === 0 ? undefined : Math.max(0, Math.min(...tried.map(({ tryAt }) => tryAt - now)));
  }
}
