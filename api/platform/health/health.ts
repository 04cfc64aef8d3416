import type { Metrics } from '../../http/metrics';
import type { ApiMiddleware } from '../../http/state';

/** Something the process depends on; `required` ones decide whether it is ready, the others whether it is degraded. */
export interface Dependency {
  name: string;
  required: boolean;
  /** Resolves when it answers, rejects when it does not; must keep its own deadline. */
  check(): Promise<unknown>;
}

const checkDeadlineMs = 2_000;

async function withinDeadline(check: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), checkDeadlineMs);
  });
  try {
    return await Promise.race([check.then(() => true, () => false), deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/** Readiness as a word: every required dependency answers (`ready`), an optional one is away (`degraded`), else `unavailable`. */
export async function readiness(dependencies: readonly Dependency[]): Promise<{ status: string; dependencies: Record<string, boolean> }> {
  const answers = await Promise.all(dependencies.map(async (dependency) => ({ dependency, up: await withinDeadline(dependency.check()) })));
  const missing = answers.filter(({ up }) => !up);
  const status = missing.some(({ dependency }) => dependency.required) ? 'unavailable' : missing.length > 0 ? 'degraded' : 'ready';
  return { status, dependencies: Object.fromEntries(answers.map(({ dependency, up }) => [dependency.name, up])) };
}

/** `/healthz` (the process lives), `/readyz` (Postgres and Redis answer; Temporal away is `degraded`, still 200), `/metrics`. */
export function health({ dependencies, metrics }: { dependencies: readonly Dependency[]; metrics: Pick<Metrics, 'registry'> }): ApiMiddleware {
  return async (ctx, next) => {
    if (ctx.path === '/healthz') {
      ctx.body = { status: 'alive' };
    } else if (ctx.path === '/readyz') {
      const answer = await readiness(dependencies);
      ctx.status = answer.status === 'unavailable' ? 503 : 200;
      ctx.body = answer;
    } else if (ctx.path === '/metrics') {
      ctx.type = metrics.registry.contentType;
      ctx.body = await metrics.registry.metrics();
    } else {
      await next();
    }
  };
}
