import { readiness, type Dependency } from '../../../lib/readiness';
import type { Metrics } from '../metrics';
import type { ApiMiddleware } from '../state';

/** `/healthz`: the process lives. */
export function liveness(): ApiMiddleware {
  return async (ctx, next) => {
    if (ctx.path === '/healthz') {
      ctx.state.isProbe = true;
      ctx.body = { status: 'alive' };
    } else {
      await next();
    }
  };
}

/** What `/readyz` and `/metrics` say. */
interface ProbedProcess {
  dependencies: readonly Dependency[];
  metrics: Pick<Metrics, 'registry'>;
  /** Whether it has been asked to stop: it still takes calls, and none should be sent to it. */
  isStopping: () => boolean;
}

/** `/readyz` (503 once the process is stopping, and unless Postgres responds; without Redis it is `degraded`, still 200), `/metrics`. */
export function readinessAndMetrics({ dependencies, metrics, isStopping }: ProbedProcess): ApiMiddleware {
  return async (ctx, next) => {
    if (ctx.path === '/readyz') {
      const result = await readiness(dependencies);
      const status = isStopping() ? 'stopping' : result.status;
      ctx.status = status === 'unavailable' || status === 'stopping' ? 503 : 200;
      ctx.body = { ...result, status };
      ctx.state.isProbe = true;
    } else if (ctx.path === '/metrics') {
      ctx.type = metrics.registry.contentType;
      ctx.body = await metrics.registry.metrics();
      ctx.state.isProbe = true;
    } else {
      await next();
    }
  };
}
