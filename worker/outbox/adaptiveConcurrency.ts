const initialLimit = 16;

/** Between which bounds the limit moves. */
export const concurrencyLimits = { min: 8, max: 64 };

/** An answer within this time, in ms, says that more would be answered. */
export const quickResponseMs = 200;

/**
 * How many calls may be under way at the same time, as the other side bears it: one more for each quick answer, half as
 * many once calls begin to fail.
 */
export class AdaptiveConcurrency {
  private limit = initialLimit;
  private inFlight = 0;
  private loweredAt = -Infinity;

  /** How many more calls may begin now. */
  get free(): number {
    return Math.max(0, this.limit - this.inFlight);
  }

  /** Notes a call that begins now; what it returns is told, once, whether the call was answered. */
  begin(): (answered: boolean) => void {
    const begunAt = performance.now();
    this.inFlight += 1;
    return (answered) => {
      this.inFlight -= 1;
      const now = performance.now();
      if (answered) {
        if (now - begunAt <= quickResponseMs) this.limit = Math.min(concurrencyLimits.max, this.limit + 1);
      } else if (begunAt > this.loweredAt) {
        // Calls that were under way together fail for one reason: it counts once.
        this.limit = Math.max(concurrencyLimits.min, Math.floor(this.limit / 2));
        this.loweredAt = now;
      }
    };
  }
}
