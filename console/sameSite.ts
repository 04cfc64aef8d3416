import type { RequestContext } from '../api/http/state';
import { DomainError } from '../domain/errors';

/** Whether an origin is the host that was asked, by us or by the proxy before us. */
function isOwnOrigin({ req }: RequestContext, origin: string): boolean {
  const forwarded = req.headers['x-forwarded-host']?.toString().split(',')[0]?.trim();
  return URL.canParse(origin) && [req.headers.host, forwarded].includes(new URL(origin).host);
}

/**
 * Refuses what a page of another site has a browser send: `forbidden`. Our pages send no referrer, so that browsers name
 * the origin of their forms `null`; then `Sec-Fetch-Site`, the cookie's own bounds and the token in the form decide.
 */
export function requireSameSite(ctx: RequestContext): void {
  const { origin, 'sec-fetch-site': site } = ctx.req.headers;
  const foreignSite = site !== undefined && site !== 'same-origin';
  const foreignOrigin = origin !== undefined && origin !== 'null' && !isOwnOrigin(ctx, origin);
  if (foreignSite || foreignOrigin) throw new DomainError('forbidden', 'This form was sent from another site.');
}
