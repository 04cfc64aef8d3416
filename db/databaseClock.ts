import type { Sql } from './statement';

const windowMs = 60_000;

/**
 * Estimates the time of Postgres from observations, so that all workers record one time although their own clocks may
 * differ. An observation is late and never early, so the largest offset of the last minute or two is used; between
 * observations the process's monotonic clock continues.
 */
export class DatabaseClock {
  private offset = -Infinity;
  private previousOffset = -Infinity;
  private windowEndsAt = 0;

  constructor(private readonly monotonicNow: () => number = () => performance.now()) {}

  /** Records a time `at` that Postgres has just returned. */
  observe(at: Date): void {
    const now = this.monotonicNow();
    if (now >= this.windowEndsAt) {
      this.previousOffset = this.offset;
      this.offset = -Infinity;
      this.windowEndsAt = now + windowMs;
    }
    this.offset = Math.max(this.offset, at.getTime() - now);
  }

  /** Returns the time of Postgres; asks for it when it has not been observed for a minute. */
  async read(sql: Sql): Promise<Date> {
    if (this.monotonicNow() >= this.windowEndsAt) {
      const [row] = await sql<{ at: Date }>('SELECT clock_timestamp() AS at');
      if (row !== undefined) this.observe(row.at);
    }
    return this.now();
  }

  /** Returns the time of Postgres; it must have been observed before. */
  now(): Date {
    return new Date(Math.round(this.monotonicNow() + Math.max(this.offset, this.previousOffset)));
  }
}
