import { isIP } from 'node:net';
import { DomainError } from '../../../domain/errors';
import { isLocalhostName } from '../../../lib/loopback';
import type { ApiMiddleware } from '../state';

/** Returns the name of a `Host` header, lower-cased, without port and brackets. */
function hostnameOf(host: string): string {
  const [, bracketed, plain = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(host) ?? [];
  return (bracketed ?? plain).toLowerCase();
}

/** By which names the platform listener is called in addition to `localhost` and addresses. */
interface PlatformNames {
  platformHost: string;
  platformNames: readonly string[];
}

/**
 * Returns a function that says whether a `Host` is an IP address, `localhost`, or a name of the settings, at any port. Nobody can
 * point an address elsewhere; kubelet and Prometheus call a pod by its own.
 */
export function ownHosts({ platformHost, platformNames }: PlatformNames): (host: string) => boolean {
  const own = new Set([platformHost, ...platformNames].map((name) => name.toLowerCase()));
  return (host) => {
    const name = hostnameOf(host);
    return own.has(name) || isLocalhostName(name) || isIP(name) !== 0;
  };
}

/** Paths that answer by any name: load balancers probe them by their own, and they say nothing of an institution. */
const probes: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/**
 * Accepts requests whose `Host` is one of {@link ownHosts}; any other is `forbidden`, but for probes: a page of another site could
 * point its own host name to this listener (DNS rebinding), and would then be of the same origin.
 */
export function hostPolicy(names: PlatformNames): ApiMiddleware {
  const isOwn = ownHosts(names);
  return async (ctx, next) => {
    if (!isOwn(ctx.req.headers.host ?? '') && !probes.has(ctx.path)) throw new DomainError('forbidden', 'This name does not lead to the platform API.');
    await next();
  };
}
