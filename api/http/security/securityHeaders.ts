import type { ApiMiddleware } from '../state';

/** Of every answer that says nothing of its own: it is what its type says, and no browser runs, loads or frames anything of it. */
export const defaultSecurityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Gives every answer the headers that keep a browser from taking it for a page; pages and files set their own over them. */
export function securityHeaders(): ApiMiddleware {
  return async (ctx, next) => {
    ctx.set(defaultSecurityHeaders);
    await next();
  };
}
