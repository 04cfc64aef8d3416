import type { RequestContext } from '../api/http/state';
import { DomainError } from '../domain/errors';

/** Whether an origin is the requested host, as this server or the proxy in front of it knows it. */
function isOwnOrigin({ req }: RequestContext, origin: string): boolean {
  const forwarded = req.headers['x-forwarded-host']?.toString().split(',')[0]?.trim();
  return URL.canParse(origin) && [req.headers.host, forwarded].includes(new URL(origin).host);
}

/**
 * Throws `forbidden` for a request that a page of another site makes a browser send. The console's pages send no referrer, so
 * browsers send `Origin: null` with their forms; then `Sec-Fetch-Site`, SameSite cookies and the form token protect.
 */
export function requireSameSite(ctx: RequestContext): void {
  const { origin, 'sec-fetch-site': site } = ctx.req.headers;
  const foreignSite = site !== undefined && site !== 'same-origin';
  const foreignOrigin = origin !== undefined && origin !== 'null' && !isOwnOrigin(ctx, origin);
  if (foreignSite || foreignOrigin) throw new DomainError('forbidden', 'This form was sent from another site.');
}
