import { randomBytes } from 'node:crypto';
import type Keygrip from 'keygrip';
import type { RequestContext } from '../api/http/state';
import type { StaffRole } from '../db/repositories/staff/staff';
import type { Domain } from '../domain/context';
import { beginConsoleSession, endConsoleSession, findConsoleSession } from '../domain/staff/consoleSessions';
import { transact } from '../domain/transact';
import { readCookie, setCookie, type Cookie } from './cookies';

/** Who is signed in. */
export interface SignedInStaff {
  id: string;
  name: string;
  role: StaffRole;
}

/** A session: a random id, and whose it is. */
export interface Session {
  id: string;
  staff: SignedInStaff;
}

/** A message that is shown once, on the page after an action. */
export interface Flash {
  kind: 'done' | 'refused';
  text: string;
}

/** Who begins a session, and the personal token that they sign in with; null for the identity provider. */
export interface SignedIn {
  staffId: string;
  tokenId: string | null;
}

/** Sessions of the console, by a random id in a signed cookie; the database has the id's hash, so that every API process knows them and any can end them. */
export interface Sessions {
  /** Begins a session. `conflict` for a person who has just been revoked. */
  begin(ctx: RequestContext, who: SignedIn): Promise<void>;
  /** Returns the session of a request; undefined if there is none, or it has ended. */
  read(ctx: RequestContext): Promise<Session | undefined>;
  /** Ends a session on the server, removes the cookie, and has the browser remove what it has of this host. */
  end(ctx: RequestContext, session: Session): Promise<void>;
  /** Returns the token in every form of a session. */
  formToken(session: Session): string;
  isFormToken(session: Session, sent: string): boolean;
  setFlash(ctx: RequestContext, session: Session, flash: Flash): void;
  /** Returns the flash of this session and removes it. */
  takeFlash(ctx: RequestContext, session: Session): Flash | undefined;
}

/** How long a session lasts, in ms: so long a person stays in whom only the identity provider has revoked. */
const sessionMs = 8 * 60 * 60 * 1_000;
const flashMs = 60_000;

const sessionCookie: Cookie = { name: 'console_session', path: '/console', sameSite: 'strict' };
const flashCookie: Cookie = { name: 'console_flash', path: '/console', sameSite: 'strict' };

const isFlashKind = (text: string | undefined): text is Flash['kind'] => text === 'done' || text === 'refused';

/** Sessions in the database and flashes in cookies, both signed by `keys`. A signature covers the cookie's name and value, so one cannot replace the other. */
export function createSessions(keys: Keygrip, domain: Domain): Sessions {
  const signedFormText = ({ id }: Session): string => `form of ${id}`;
  return {
    begin: async (ctx, who) => {
      const { now } = ctx.state;
      const [id, expiresAt] = [randomBytes(18).toString('base64url'), new Date(now.getTime() + sessionMs)];
      await transact(domain, { institutionId: '', now }, (tx) => beginConsoleSession(tx, { id, ...who, expiresAt }));
      setCookie(ctx, sessionCookie, `${id}.${expiresAt.getTime()}`, sessionMs);
    },
    read: async (ctx) => {
      const [id, expires] = readCookie(ctx, sessionCookie)?.split('.') ?? [];
      if (id === undefined || expires === undefined) return undefined;
      const found = await findConsoleSession(domain.database, id, ctx.state.now);
      return found === undefined ? undefined : { id, staff: { id: found.staff_id, name: found.staff_name, role: found.role } };
    },
    end: async (ctx, { id }) => {
      await endConsoleSession(domain.database, id);
      ctx.set('Clear-Site-Data', '"cache", "storage"');
      setCookie(ctx, sessionCookie, '', 0);
    },
    formToken: (session) => keys.sign(signedFormText(session)),
    isFormToken: (session, sent) => keys.verify(signedFormText(session), sent),
    setFlash: (ctx, session, { kind, text }) => {
      const encoded = Buffer.from(text.slice(0, 600).toWellFormed()).toString('base64url');
      setCookie(ctx, flashCookie, `${session.id}.${kind}.${encoded}`, flashMs);
    },
    takeFlash: (ctx, session) => {
      const value = readCookie(ctx, flashCookie);
      if (value === undefined) return undefined;
      setCookie(ctx, flashCookie, '', 0);
      const [id, kind, encoded = ''] = value.split('.');
      return id === session.id && isFlashKind(kind) ? { kind, text: Buffer.from(encoded, 'base64url').toString() } : undefined;
    },
  };
}
