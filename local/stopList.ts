/** What can be stopped, and the order in which it is: what stands on a store ends before the store. */
const stopOrder = ['api', 'worker', 'temporal', 'redis', 'postgres', 'mail'] as const;

export type Part = (typeof stopOrder)[number];

/** How long each part is asked before it is killed; together they stay below 10 s. */
const graceMs: Record<Part, number> = { api: 3_000, worker: 3_000, temporal: 1_000, redis: 500, postgres: 1_500, mail: 500 };

/** The parts that are up. */
export class StopList {
  private readonly stops = new Map<Part, (graceMs: number) => Promise<void>>();

  add(part: Part, stop: (graceMs: number) => Promise<void>): void {
    this.stops.set(part, stop);
  }

  /** Stops every part in order; a part that fails to stop does not keep the next ones up. */
  async stopAll(tell: (part: Part) => void): Promise<void> {
    for (const part of stopOrder) {
      const stop = this.stops.get(part);
      if (stop === undefined) continue;
      tell(part);
      await stop(graceMs[part]).catch(() => undefined);
    }
  }
}
