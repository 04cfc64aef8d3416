import { strictTransport } from '../api/http/security/securityHeaders';
import type { RequestContext } from '../api/http/state';
import { isHttps } from './cookies';

/** Allows the console's own script and style files only, no other site, no frame. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** Sets the headers of every response of the console; assets set their own cache time. */
export function setSecurityHeaders(ctx: RequestContext): void {
  ctx.set({
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
    ...(isHttps(ctx) ? strictTransport : {}),
  });
}

/** Responds with a page. */
export function sendPage(ctx: RequestContext, status: number, page: string): void {
  ctx.status = status;
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = page;
}

/** Redirects the browser to a page of the console, by GET. */
export function redirect(ctx: RequestContext, path: string): void {
  ctx.status = 303;
  ctx.set('Location', path);
  ctx.body = '';
}
