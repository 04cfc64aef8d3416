import { readiness, type Dependency } from '../../../lib/readiness';
import type { Metrics } from '../metrics';
import type { ApiMiddleware } from '../state';

/** `/healthz`: the process lives. */
export function liveness(): ApiMiddleware {
  return async (ctx, next) => {
    if (ctx.path === '/healthz') ctx.body = { status: 'alive' };
    else await next();
  };
}

/** `/readyz` (503 unless Postgres responds; without Redis it is `degraded`, still 200), `/metrics`. */
export function readinessAndMetrics({ dependencies, metrics }: { dependencies: readonly Dependency[]; metrics: Pick<Metrics, 'registry'> }): ApiMiddleware {
  return async (ctx, next) => {
    if (ctx.path === '/readyz') {
      const result = await readiness(dependencies);
      ctx.status = result.status === 'unavailable' ? 503 : 200;
      ctx.body = result;
    } else if (ctx.path === '/metrics') {
      ctx.type = metrics.registry.contentType;
      ctx.body = await metrics.registry.metrics();
    } else {
      await next();
    }
  };
}
