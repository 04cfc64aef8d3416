import type { SessionKind } from '../../../db/entities/session';
import { findPortalUser, type PortalUserRow } from '../../../db/repositories/signIn/accounts';
import type { Domain } from '../../../domain/context';
import { DomainError } from '../../../domain/errors';
import { findSessionByToken, sessionPrefix } from '../../../domain/signIn/sessions';
import { findStaffToken, staffTokenPrefix } from '../../../domain/staff/tokens';
import { secretMatcher } from '../../../lib/secretMatcher';
import { bearerToken } from './bearerToken';
import type { PlatformCaller } from '../access';
import type { ApiMiddleware } from '../state';

const platformCaller: PlatformCaller = { role: 'platform', actorId: 'platform', institution: null, sessionId: null };
const anonymousCaller: PlatformCaller = { role: 'public', actorId: 'public', institution: null, sessionId: null };

/**
 * Authenticates the caller of the platform API: by the platform's token, with `X-Actor` as the portal user it names; by the
 * personal token of staff, who act as themselves only; or as {@link authenticateSession} does. `unauthorized` for an unknown or
 * blank `X-Actor`, `forbidden` unless it is an active admin or developer of an institution.
 */
export function authenticateCaller(domain: Domain, platformTokens: readonly string[]): ApiMiddleware {
  const isPlatformToken = secretMatcher(...platformTokens);
  const resolveCaller = (token: string | undefined, actor: string | undefined, now: Date): PlatformCaller | Promise<PlatformCaller> => {
    if (token === undefined) return anonymousCaller;
    if (isPlatformToken(token)) return actor === undefined ? platformCaller : portalUser(domain, actor);
    if (token.startsWith(staffTokenPrefix)) return staffCaller(domain, token, actor, now);
    return sessionCaller(domain, token, now);
  };
  return async (ctx, next) => {
    const token = bearerToken(ctx);
    ctx.state.platform = await resolveCaller(token, ctx.headers['x-actor']?.toString().trim(), ctx.state.now);
    await next();
  };
}

/**
 * Authenticates the caller by a session's token alone; with any other token, or none, they are anonymous (public operations). An
 * app's session that ended within the last day is `signed_out`.
 */
export function authenticateSession(domain: Domain): ApiMiddleware {
  return async (ctx, next) => {
    const token = bearerToken(ctx);
    ctx.state.platform = token === undefined ? anonymousCaller : await sessionCaller(domain, token, ctx.state.now);
    await next();
  };
}

function portalRole({ is_admin, status, developer_status }: PortalUserRow): 'admin' | 'developer' | undefined {
  if (status !== 'active') return undefined;
  if (is_admin) return 'admin';
  return developer_status === 'active' ? 'developer' : undefined;
}

async function portalUser({ database }: Domain, actorId: string): Promise<PlatformCaller> {
  const user = await findPortalUser(database.sql, actorId);
  if (user === undefined) throw new DomainError('unauthorized', 'X-Actor names nobody.');
  const role = portalRole(user);
  if (role === undefined) throw new DomainError('forbidden', 'X-Actor is no active admin or developer of an institution.');
  return {
    role,
    actorId: user.id,
    institution: { id: user.institution_id, status: user.institution_status, clockOffsetMs: user.clock_offset_ms, readOnlyUntil: user.read_only_until },
    sessionId: null,
  };
}

async function staffCaller({ database }: Domain, token: string, actor: string | undefined, now: Date): Promise<PlatformCaller> {
  const found = await findStaffToken(database, token, now);
  if (found === undefined) return anonymousCaller;
  if (actor !== undefined) throw new DomainError('forbidden', 'X-Actor is sent with the platform token only: staff act as themselves.');
  return { role: found.role, actorId: found.staff_id, institution: null, sessionId: null };
}

/** The role of a session that has ended: apps are notified that they are signed out. */
const roleAfterSessionEnd: Record<SessionKind, 'signed_out' | 'public'> = { student: 'signed_out', faculty: 'signed_out', guardian: 'public', developer: 'public' };

async function sessionCaller({ database }: Domain, token: string, now: Date): Promise<PlatformCaller> {
  if (!token.startsWith(sessionPrefix)) return anonymousCaller;
  const session = await findSessionByToken(database, token, now);
  if (session === undefined) return anonymousCaller;
  const role = session.is_live ? session.kind : roleAfterSessionEnd[session.kind];
  if (role === 'public') return anonymousCaller;
  return {
    role,
    actorId: session.user_id,
    institution: { id: session.institution_id, status: session.institution_status, clockOffsetMs: session.clock_offset_ms, readOnlyUntil: session.read_only_until },
    sessionId: session.id,
  };
}
