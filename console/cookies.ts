import type { RequestContext } from '../api/http/state';

const firstOf = (header: string | string[] | undefined): string => (header ?? '').toString().split(',')[0]?.trim().toLowerCase() ?? '';

/** Whether the browser uses https, to this server or to the proxy in front of it. */
export function isHttps({ req, secure }: RequestContext): boolean {
  return secure || firstOf(req.headers['x-forwarded-proto']) === 'https' || /(^|[;,\s])proto="?https/i.test(req.headers.forwarded ?? '');
}

/** A cookie of the console; `path` counts without https. `lax`: sent with a link of another site, too. */
export interface Cookie {
  name: string;
  path: string;
  sameSite: 'strict' | 'lax';
}

/** Over https browsers take a cookie of this name from this host alone, for all of its paths; without https they do not take it at all. */
const nameOf = (ctx: RequestContext, { name }: Cookie): string => (isHttps(ctx) ? `__Host-${name}` : name);

/** Sets a signed cookie; an empty value removes it. */
export function setCookie(ctx: RequestContext, cookie: Cookie, value: string, maxAge: number): void {
  const https = isHttps(ctx);
  ctx.cookies.secure = https;
  ctx.cookies.set(nameOf(ctx, cookie), value, { path: https ? '/' : cookie.path, httpOnly: true, sameSite: cookie.sameSite, maxAge });
}

/** Returns the value of a cookie whose signature is ours. */
export const readCookie = (ctx: RequestContext, cookie: Cookie): string | undefined => ctx.cookies.get(nameOf(ctx, cookie), { signed: true });
