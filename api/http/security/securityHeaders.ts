import type { ApiMiddleware } from '../state';

/** The default headers: browsers must not sniff the content type, and must not execute, load or frame anything. */
export const defaultSecurityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Sets the headers that keep browsers from treating a response as a page; pages and files override them. */
export function securityHeaders(): ApiMiddleware {
  return async (ctx, next) => {
    ctx.set(defaultSecurityHeaders);
    await next();
  };
}
