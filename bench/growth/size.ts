/** How much data the bench fills in. */
export interface GrowthSize {
  students: number;
  /** Each with an event and an attempt of its own. */
  deliveries: number;
  /** Deliveries, and as many events, that retention deletes. */
  pruned: number;
}

const defaults = { students: 1_000_000, deliveries: 20_000_000, pruned: 200_000 } as const;

function readCount(environment: NodeJS.ProcessEnv, name: string, preset: number): number {
  const count = Number(environment[name] ?? preset);
  if (!Number.isInteger(count) || count < 1) throw new Error(`${name} must be a whole number above 0`);
  return count;
}

/** Reads the size from the environment; a smaller one is a smoke test, not a measurement. */
export function readGrowthSize(environment: NodeJS.ProcessEnv = process.env): GrowthSize {
  const deliveries = readCount(environment, 'BENCH_GROWTH_DELIVERIES', defaults.deliveries);
  return {
    students: readCount(environment, 'BENCH_GROWTH_STUDENTS', defaults.students),
    deliveries,
    pruned: Math.min(deliveries, readCount(environment, 'BENCH_GROWTH_PRUNED', defaults.pruned)),
  };
}
