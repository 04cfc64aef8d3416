import { inNewTrace } from '../../lib/tracing';
import type { ListenerName } from './metrics';
import type { ApiMiddleware } from './state';

/** What asks for these asks every few seconds, and causes nothing. */
const untracedPaths = new Set(['/healthz', '/readyz', '/metrics']);

/** Records each request as the first span of a trace: with its route's pattern and who sent it, never ids of the path, queries or bodies. */
export function traceRequests(listener: ListenerName): ApiMiddleware {
  const prefix = listener === 'public' ? '/v1' : '/platform/v1';
  return (ctx, next) => {
    if (untracedPaths.has(ctx.path)) return next();
    return inNewTrace(ctx.method, ctx.get('traceparent'), async (span) => {
      await next();
      if (span === undefined) return;
      const { requestId, route, key, platform } = ctx.state;
      const pattern = route === undefined ? undefined : prefix + route.replaceAll(/:(\w+)/g, '{$1}');
      if (pattern !== undefined) span.updateName(`${ctx.method} ${pattern}`).setAttribute('http.route', pattern);
      const institutionId = key?.institution.id ?? platform?.institution?.id;
      span.setAttributes({
        'http.request.method': ctx.method,
        'http.response.status_code': ctx.status,
        listener,
        request_id: requestId,
        ...(institutionId === undefined ? {} : { institution_id: institutionId }),
        ...(key === undefined ? {} : { key_id: key.id }),
      });
    });
  };
}
