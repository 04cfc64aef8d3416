import type { RequestContext } from '../api/http/state';

const firstOf = (header: string | string[] | undefined): string => (header ?? '').toString().split(',')[0]?.trim().toLowerCase() ?? '';

/** Whether the browser uses https, to this server or to the proxy in front of it. */
function isHttps({ req, secure }: RequestContext): boolean {
  return secure || firstOf(req.headers['x-forwarded-proto']) === 'https' || /(^|[;,\s])proto="?https/i.test(req.headers.forwarded ?? '');
}

/** A cookie of the console. `lax`: sent with a link of another site, too. */
export interface Cookie {
  name: string;
  path: string;
  sameSite: 'strict' | 'lax';
}

/** Sets a signed cookie; an empty value removes it. */
export function setCookie(ctx: RequestContext, { name, path, sameSite }: Cookie, value: string, maxAge: number): void {
  ctx.cookies.secure = isHttps(ctx);
  ctx.cookies.set(name, value, { path, httpOnly: true, sameSite, maxAge });
}

/** Returns the value of a cookie whose signature is ours. */
export const readCookie = (ctx: RequestContext, { name }: Cookie): string | undefined => ctx.cookies.get(name, { signed: true });
