import { randomBytes } from 'node:crypto';
import type Keygrip from 'keygrip';
import type { RequestContext } from '../api/http/state';

/** A session: a random id, and its end. */
export interface Session {
  id: string;
  expiresAt: Date;
}

/** A message that is shown once, on the page after an action. */
export interface Flash {
  kind: 'done' | 'refused';
  text: string;
}

/** Sessions and flashes of the console, in signed cookies: every API process can read them, none stores them. */
export interface Sessions {
  begin(ctx: RequestContext): void;
  /** Returns the session of a request; undefined if there is none, or it has ended. */
  read(ctx: RequestContext): Session | undefined;
  end(ctx: RequestContext): void;
  /** Returns the token in every form of a session. */
  formToken(session: Session): string;
  isFormToken(session: Session, sent: string): boolean;
  setFlash(ctx: RequestContext, session: Session, flash: Flash): void;
  /** Returns the flash of this session and removes it. */
  takeFlash(ctx: RequestContext, session: Session): Flash | undefined;
}

/** How long a session lasts, in ms. */
const sessionMs = 8 * 60 * 60 * 1_000;
const flashMs = 60_000;

const cookieNames = { session: 'console_session', flash: 'console_flash' };

const firstOf = (header: string | string[] | undefined): string => (header ?? '').toString().split(',')[0]?.trim().toLowerCase() ?? '';

/** Whether the browser uses https, to this server or to the proxy in front of it. */
function isHttps({ req, secure }: RequestContext): boolean {
  return secure || firstOf(req.headers['x-forwarded-proto']) === 'https' || /(^|[;,\s])proto="?https/i.test(req.headers.forwarded ?? '');
}

/** Sets a signed cookie; an empty value removes it. */
function setCookie(ctx: RequestContext, name: string, value: string, maxAge: number): void {
  ctx.cookies.secure = isHttps(ctx);
  ctx.cookies.set(name, value, { path: '/console', httpOnly: true, sameSite: 'strict', maxAge });
}

const isFlashKind = (text: string | undefined): text is Flash['kind'] => text === 'done' || text === 'refused';

/** Sessions and flashes in cookies that `keys` sign. A signature covers the cookie's name and value, so one cannot replace the other. */
export function createSessions(keys: Keygrip): Sessions {
  const signedFormText = ({ id }: Session): string => `form of ${id}`;
  return {
    begin: (ctx) => {
      const expires = ctx.state.now.getTime() + sessionMs;
      setCookie(ctx, cookieNames.session, `${randomBytes(18).toString('base64url')}.${expires}`, sessionMs);
    },
    read: (ctx) => {
      const [id, expires] = ctx.cookies.get(cookieNames.session, { signed: true })?.split('.') ?? [];
      if (id === undefined || expires === undefined) return undefined;
      const expiresAt = new Date(Number(expires));
      return expiresAt > ctx.state.now ? { id, expiresAt } : undefined;
    },
    end: (ctx) => setCookie(ctx, cookieNames.session, '', 0),
    formToken: (session) => keys.sign(signedFormText(session)),
    isFormToken: (session, sent) => keys.verify(signedFormText(session), sent),
    setFlash: (ctx, session, { kind, text }) => {
      const encoded = Buffer.from(text.slice(0, 600).toWellFormed()).toString('base64url');
      setCookie(ctx, cookieNames.flash, `${session.id}.${kind}.${encoded}`, flashMs);
    },
    takeFlash: (ctx, session) => {
      const value = ctx.cookies.get(cookieNames.flash, { signed: true });
      if (value === undefined) return undefined;
      setCookie(ctx, cookieNames.flash, '', 0);
      const [id, kind, encoded = ''] = value.split('.');
      return id === session.id && isFlashKind(kind) ? { kind, text: Buffer.from(encoded, 'base64url').toString() } : undefined;
    },
  };
}
