import type { Logger } from '../../config/logger';
import { timeOfId } from '../../domain/ids';
import type { ListenerName, Metrics } from './metrics';
import type { ApiMiddleware } from './state';

/** How many ids of a path are logged: no operation has more. */
const maxIds = 4;

/** Returns the whole ids in a path: nothing else that a caller wrote there, such as a login email. */
const idsInPath = (path: string): string[] => path.split('/').filter((part) => timeOfId(part) !== undefined).slice(0, maxIds);

/** Writes one log line and one histogram sample per request, but for probes that were answered; with the route's pattern and who sent it, of a refused one also the error's code, which of its cases it was where one code has several, the key if it is known, the ids in its path, the fields that it was refused for and the scopes that its key lacks; never names, emails or bodies. */
export function logRequests(logger: Logger, metrics: Metrics, listener: ListenerName): ApiMiddleware {
  // None of its fields is a secret or from a body: looking for some in every line costs a tenth of a read.
  const lines = logger.child({}, { redact: [] });
  return async (ctx, next) => {
    const started = performance.now();
    await next();
    if (ctx.state.isProbe === true) return;
    const ms = performance.now() - started;
    const { requestId, route = 'none', key, refusedKey, platform, error, reason, fields, missing } = ctx.state;
    metrics.observeRequest({ listener, method: ctx.method, route, status: ctx.status, ms });
    lines.info(
      {
        request_id: requestId,
        listener,
        method: ctx.method,
        route,
        status: ctx.status,
        ...(error === undefined ? {} : { error, ids: idsInPath(ctx.path) }),
        ...(reason === undefined ? {} : { reason }),
        ...(fields === undefined ? {} : { fields }),
        ...(missing === undefined ? {} : { missing }),
        ms: Math.round(ms * 10) / 10,
        institution_id: key?.institution.id ?? refusedKey?.institutionId ?? platform?.institution?.id,
        key_id: key?.id ?? refusedKey?.id,
        role: platform?.role,
        actor_id: platform?.actorId,
      },
      'request',
    );
  };
}
