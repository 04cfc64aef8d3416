/** What can be stopped, and the order in which they are stopped: users of a store before the store. */
const stopOrder = ['api', 'worker', 'temporal', 'redis', 'postgres', 'mail'] as const;

export type StackPart = (typeof stopOrder)[number];

/** How long each part is asked, at least, before it is killed. What a part leaves over, the next ones may use. */
const graceMs: Record<StackPart, number> = { api: 3_000, worker: 2_500, temporal: 1_000, redis: 500, postgres: 1_500, mail: 500 };
/** All parts together, in which the sum of the above has room. */
const totalMs = 9_500;

/** The parts that are up. */
export class StopList {
  private readonly stops = new Map<StackPart, (graceMs: number) => Promise<void>>();

  add(part: StackPart, stop: (graceMs: number) => Promise<void>): void {
    this.stops.set(part, stop);
  }

  /** Stops every part in order; a part that fails to stop does not keep the next ones up. */
  async stopAll(onStopping: (part: StackPart) => void): Promise<void> {
    const deadline = Date.now() + totalMs;
    for (const [index, part] of stopOrder.entries()) {
      const stop = this.stops.get(part);
      if (stop === undefined) continue;
      onStopping(part);
      const reservedMs = stopOrder.slice(index + 1).reduce((sum, later) => sum + graceMs[later], 0);
      await stop(Math.max(graceMs[part], deadline - Date.now() - reservedMs)).catch(() => undefined);
    }
  }
}
