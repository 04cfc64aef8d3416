import { DomainError } from '../../../domain/errors';
import { isLocalhostName, isLoopbackAddress } from '../../../lib/loopback';
import type { ApiMiddleware } from '../state';

/** Returns the name of a `Host` header, lower-cased, without port and brackets. */
function hostnameOf(host: string): string {
  const [, bracketed, plain = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(host) ?? [];
  return (bracketed ?? plain).toLowerCase();
}

/**
 * Accepts requests whose `Host` is a loopback name or address, or `ownHost`, at any port; any other is `forbidden`: a page
 * of another site could point its own host name to this listener (DNS rebinding), and would then be of the same origin.
 */
export function hostPolicy(ownHost: string): ApiMiddleware {
  const own = ownHost.toLowerCase();
  return async (ctx, next) => {
    const name = hostnameOf(ctx.req.headers.host ?? '');
    if (name !== own && !isLocalhostName(name) && !isLoopbackAddress(name)) throw new DomainError('forbidden', 'This name does not lead to the platform API.');
    await next();
  };
}
