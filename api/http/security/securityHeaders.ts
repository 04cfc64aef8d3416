import type { ApiMiddleware } from '../state';

/** The default headers: browsers must not sniff the content type, must not execute, load or frame anything, and must not name the page to others. */
export const defaultSecurityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
};

/** For a year browsers reach this host, and the names below it, by https alone. */
export const strictTransport = { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' };

/**
 * Sets the headers that keep browsers from treating a response as a page; pages and files override them. At an https address,
 * which the proxy in front of the listener serves, browsers are also to stay with https.
 */
export function securityHeaders(baseUrl?: string): ApiMiddleware {
  const headers = { ...defaultSecurityHeaders, ...(baseUrl?.startsWith('https://') === true ? strictTransport : {}) };
  return async (ctx, next) => {
    ctx.set(headers);
    await next();
  };
}
