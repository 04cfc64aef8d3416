const initialLimit = 16;

/** The range of the limit. */
export const concurrencyLimits = { min: 8, max: 64 };

/** A response within this time, in ms, increases the limit. */
export const quickResponseMs = 200;

/**
 * Limits concurrent calls to what the other side can handle: one more for each quick response, half as many when calls begin
 * to fail.
 */
export class AdaptiveConcurrency {
  private limit = initialLimit;
  private inFlight = 0;
  private loweredAt = -Infinity;

  /** Number of calls that may start now. */
  get free(): number {
    return Math.max(0, this.limit - this.inFlight);
  }

  /** Records the start of a call; the returned function must be called once with whether the call got a response. */
  begin(): (responded: boolean) => void {
    const begunAt = performance.now();
    this.inFlight += 1;
    return (responded) => {
      this.inFlight -= 1;
      const now = performance.now();
      if (responded) {
        if (now - begunAt <= quickResponseMs) this.limit = Math.min(concurrencyLimits.max, this.limit + 1);
      } else if (begunAt > this.loweredAt) {
        // Calls that ran at the same time fail for one reason, which counts once.
        this.limit = Math.max(concurrencyLimits.min, Math.floor(this.limit / 2));
        this.loweredAt = now;
      }
    };
  }
}
