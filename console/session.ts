import { randomBytes } from 'node:crypto';
import type { RequestContext } from '../api/http/state';
import type { Signing } from './signing';

/** Who is signed in: a random id, and until when. */
export interface Session {
  id: string;
  expiresAt: Date;
}

/** A message that stands once on the page that follows an action. */
export interface Flash {
  kind: 'done' | 'refused';
  text: string;
}

/** Sessions and one-time messages of the console, kept in signed cookies: every API process reads them, none stores them. */
export interface Sessions {
  begin(ctx: RequestContext): void;
  /** The live session that a request carries. */
  read(ctx: RequestContext): Session | undefined;
  end(ctx: RequestContext): void;
  /** What every form of a session carries. */
  formToken(session: Session): string;
  isFormToken(session: Session, sent: string): boolean;
  setFlash(ctx: RequestContext, session: Session, flash: Flash): void;
  /** The message left for this session, once. */
  takeFlash(ctx: RequestContext, session: Session): Flash | undefined;
}

/** How long one stays signed in, in ms. */
const sessionMs = 8 * 60 * 60 * 1_000;
const flashMs = 60_000;

const cookieNames = { session: 'console_session', flash: 'console_flash' };

const firstOf = (header: string | string[] | undefined): string => (header ?? '').toString().split(',')[0]?.trim().toLowerCase() ?? '';

/** Whether the browser speaks https, to us or to the proxy before us. */
function isHttps({ req, secure }: RequestContext): boolean {
  return secure || firstOf(req.headers['x-forwarded-proto']) === 'https' || /(^|[;,\s])proto="?https/i.test(req.headers.forwarded ?? '');
}

function setCookie(ctx: RequestContext, name: string, value: string, maxAgeMs: number): void {
  const attributes = ['Path=/console', 'HttpOnly', 'SameSite=Strict', `Max-Age=${Math.floor(maxAgeMs / 1_000)}`, ...(isHttps(ctx) ? ['Secure'] : [])];
  ctx.append('Set-Cookie', [`${name}=${value}`, ...attributes].join('; '));
}

function readCookie(ctx: RequestContext, name: string): string | undefined {
  const pairs = (ctx.req.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

function isFlash(value: unknown): value is Flash {
  return typeof value === 'object' && value !== null && 'kind' in value && (value.kind === 'done' || value.kind === 'refused')
    && 'text' in value && typeof value.text === 'string';
}

export function createSessions(signing: Signing): Sessions {
  const formToken = ({ id }: Session): string => signing.signValue('form', id).split('.')[1] ?? '';
  const flashPurpose = ({ id }: Session): string => `flash of ${id}`;
  return {
    begin: (ctx) => {
      const expires = ctx.state.now.getTime() + sessionMs;
      setCookie(ctx, cookieNames.session, signing.signValue('session', `${randomBytes(18).toString('base64url')} ${expires}`), sessionMs);
    },
    read: (ctx) => {
      const [id, expires] = signing.verifyValue('session', readCookie(ctx, cookieNames.session) ?? '')?.split(' ') ?? [];
      if (id === undefined || expires === undefined) return undefined;
      const expiresAt = new Date(Number(expires));
      return expiresAt > ctx.state.now ? { id, expiresAt } : undefined;
    },
    end: (ctx) => setCookie(ctx, cookieNames.session, '', 0),
    formToken,
    isFormToken: (session, sent) => signing.verifyValue('form', `${Buffer.from(session.id).toString('base64url')}.${sent}`) !== undefined,
    setFlash: (ctx, session, flash) => {
      const text = flash.text.slice(0, 600).toWellFormed();
      setCookie(ctx, cookieNames.flash, signing.signValue(flashPurpose(session), JSON.stringify({ ...flash, text })), flashMs);
    },
    takeFlash: (ctx, session) => {
      const signedFlash = readCookie(ctx, cookieNames.flash);
      if (signedFlash === undefined) return undefined;
      setCookie(ctx, cookieNames.flash, '', 0);
      const opened = signing.verifyValue(flashPurpose(session), signedFlash);
      const flash: unknown = opened === undefined ? undefined : JSON.parse(opened);
      return isFlash(flash) ? flash : undefined;
    },
  };
}
