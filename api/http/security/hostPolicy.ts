import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { DomainError } from '../../../domain/errors';
import type { ApiMiddleware } from '../state';

function isLoopback(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  return isIP(name) !== 0 && ipaddr.process(name).range() === 'loopback';
}

/** The name of a `Host` header, lower-cased, without port and brackets. */
function hostnameOf(host: string): string {
  const [, bracketed, plain = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(host) ?? [];
  return (bracketed ?? plain).toLowerCase();
}

/**
 * Lets in requests whose `Host` is a loopback name or address, or `ownHost`, at any port; every other is `forbidden`: a
 * page of another site may lead its own name to this listener, and would then be of no foreign origin.
 */
export function hostPolicy(ownHost: string): ApiMiddleware {
  const own = ownHost.toLowerCase();
  return async (ctx, next) => {
    const name = hostnameOf(ctx.req.headers.host ?? '');
    if (name !== own && !isLoopback(name)) throw new DomainError('forbidden', 'This name does not lead to the platform API.');
    await next();
  };
}
