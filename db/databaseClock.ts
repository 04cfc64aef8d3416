import type { Sql } from './statement';

const windowMs = 60_000;

/**
 * The time of Postgres as a process knows it from what it was told: by this all workers' records show one time, though their own
 * clocks may be apart. A time arrives late and never early, so the one that arrived soonest in the last minute or two counts;
 * between two of them the process's steady clock goes on.
 */
export class DatabaseClock {
  private offset = -Infinity;
  private previousOffset = -Infinity;
  private windowEndsAt = 0;

  constructor(private readonly monotonicNow: () => number = () => performance.now()) {}

  /** Postgres has just said that it is `at`. */
  observe(at: Date): void {
    const now = this.monotonicNow();
    if (now >= this.windowEndsAt) {
      this.previousOffset = this.offset;
      this.offset = -Infinity;
      this.windowEndsAt = now + windowMs;
    }
    this.offset = Math.max(this.offset, at.getTime() - now);
  }

  /** The time of Postgres; asks for it when it has not been observed for a minute. */
  async read(sql: Sql): Promise<Date> {
    if (this.monotonicNow() >= this.windowEndsAt) {
      const [row] = await sql<{ at: Date }>('SELECT clock_timestamp() AS at');
      if (row !== undefined) this.observe(row.at);
    }
    return this.now();
  }

  /** The time of Postgres; it must have been observed before. */
  now(): Date {
    return new Date(Math.round(this.monotonicNow() + Math.max(this.offset, this.previousOffset)));
  }
}
