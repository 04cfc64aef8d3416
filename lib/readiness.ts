import { settlesWithin } from './timeout';

/** Something a process depends on; `required` ones decide whether it is ready, the others whether it is degraded. */
export interface Dependency {
  name: string;
  required: boolean;
  /** Resolves when it answers, rejects when it does not. */
  check(): Promise<unknown>;
}

/** What `/readyz` answers. */
export interface Readiness {
  status: 'ready' | 'degraded' | 'unavailable';
  dependencies: Record<string, boolean>;
}

const checkDeadlineMs = 2_000;

const isUp = (dependency: Dependency): Promise<boolean> => settlesWithin(checkDeadlineMs, dependency.check()).catch(() => false);

/** Asks every dependency, each for 2 s at most: `unavailable` lacks a required one, `degraded` another. */
export async function readiness(dependencies: readonly Dependency[]): Promise<Readiness> {
  const results = await Promise.all(dependencies.map(async (dependency) => ({ dependency, up: await isUp(dependency) })));
  const missing = results.filter(({ up }) => !up);
  const lacksRequired = missing.some(({ dependency }) => dependency.required);
  return {
    status: lacksRequired ? 'unavailable' : missing.length > 0 ? 'degraded' : 'ready',
    dependencies: Object.fromEntries(results.map(({ dependency, up }) => [dependency.name, up])),
  };
}
