/** Something a process depends on; `required` ones decide whether it is ready, the others whether it is degraded. */
export interface Dependency {
  name: string;
  required: boolean;
  /** Resolves if it responds, rejects if it does not. */
  check(): Promise<unknown>;
}

/** The response of `/readyz`. */
export interface Readiness {
  status: 'ready' | 'degraded' | 'unavailable';
  dependencies: Record<string, boolean>;
}

const checkDeadlineMs = 2_000;

async function isUp(dependency: Dependency): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), checkDeadlineMs);
  });
  try {
    return await Promise.race([dependency.check().then(() => true, () => false), deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/** Checks every dependency, each for at most 2 s: `unavailable` if a required one fails, `degraded` if another fails. */
export async function readiness(dependencies: readonly Dependency[]): Promise<Readiness> {
  const results = await Promise.all(dependencies.map(async (dependency) => ({ dependency, up: await isUp(dependency) })));
  const missing = results.filter(({ up }) => !up);
  const lacksRequired = missing.some(({ dependency }) => dependency.required);
  return {
    status: lacksRequired ? 'unavailable' : missing.length > 0 ? 'degraded' : 'ready',
    dependencies: Object.fromEntries(results.map(({ dependency, up }) => [dependency.name, up])),
  };
}
