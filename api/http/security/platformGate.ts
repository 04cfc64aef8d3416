import { readScopeCeiling } from '../../../db/repositories/developers/developers';
import { clockOf } from '../../../domain/clock';
import type { Actor, Domain } from '../../../domain/context';
import { DomainError } from '../../../domain/errors';
import { grants } from '../../../domain/scopes';
import { joinWords } from '../../../lib/joinWords';
import type { CallerGate } from '../dispatch';
import type { Access, PlatformCaller, PlatformRole } from '../access';
import type { OperationRecord } from '../operation';
import type { ApiMiddleware } from '../state';
import { requireWritable } from './readOnly';
import { findNamedClock, resolveInstitution } from './resolveInstitution';

const actorKind: Record<PlatformRole, Actor['kind']> = {
  platform: 'platform',
  operator: 'staff',
  support: 'staff',
  admin: 'faculty',
  developer: 'developer',
  student: 'session',
  faculty: 'session',
  guardian: 'session',
  signed_out: 'session',
  public: 'session',
};

function accessOf({ access }: OperationRecord<PlatformCaller>): Extract<Access, { by: 'platform' }> {
  if (access.by !== 'platform') throw new Error('An operation of the public API stands in the platform API');
  return access;
}

/** `forbidden` to a developer for what keys need a scope for that is beyond their ceiling: it holds for them as for the keys they made. */
async function requireWithinCeiling({ database }: Domain, record: OperationRecord<PlatformCaller>, { role, actorId, institution }: PlatformCaller): Promise<void> {
  const { scope } = accessOf(record);
  if (role !== 'developer' || institution === null || scope === undefined || scope === null) return;
  const ceiling = await readScopeCeiling({ institutionId: institution.id, sql: database.sql }, actorId);
  if (ceiling !== null && !grants(ceiling, scope)) throw new DomainError('forbidden', `Your scope_ceiling does not have ${scope}; the institution's admin sets it.`);
}

/** The roles of callers without a session. */
const tokenRoles: readonly PlatformRole[] = ['platform', 'operator', 'support', 'admin'];

/** Says which token opens an operation: that of a session where no other does; and where the key of an institution belongs. */
function neededToken(roles: readonly PlatformRole[], authorization: string): string {
  if (!roles.some((role) => tokenRoles.includes(role))) return 'Send the token of a session (ses_…), which a sign-in opens.';
  if (/^Bearer svc_(?:live|test)_/i.test(authorization)) return 'This is the platform API, and what was sent is the API key of an institution: it is for the public API, /v1, at another port or host.';
  return 'Send the platform token, a personal token or the token of a session (ses_…), which a sign-in opens.';
}

/** Says which roles may do what a role may not. */
function refusedRole(role: PlatformRole, roles: readonly PlatformRole[]): string {
  const people = roles.filter((one) => one !== 'platform' && one !== 'signed_out');
  const allowed = joinWords([...people, ...(roles.includes('platform') ? ['the platform token'] : [])]);
  return `${role === 'platform' ? 'The platform token' : `Your role ${role}`} may not do this: ${allowed} may.`;
}

/**
 * Checks the caller's role: an unknown caller is `unauthorized`, another role `forbidden`. The operation then runs for the
 * institution that its record determines, which for anyone but the platform is their own.
 */
export function platformGate(domain: Domain, authentication: ApiMiddleware): CallerGate<PlatformCaller> {
  return {
    reauthenticate: async (ctx) => {
      await authentication(ctx, () => Promise.resolve());
    },
    authorize: (record, ctx) => {
      const { platform } = ctx.state;
      if (platform === undefined) throw new Error('A platform operation runs after authentication');
      const { roles } = accessOf(record);
      if (roles.includes('public')) return platform;
      if (roles.includes(platform.role)) {
        requireWritable(record, platform.institution?.readOnlyUntil ?? null);
        return platform;
      }
      if (platform.role === 'public' || platform.role === 'signed_out') throw new DomainError('unauthorized', neededToken(roles, ctx.get('authorization')));
      throw new DomainError('forbidden', refusedRole(platform.role, roles));
    },
    findClock: async (principal, record, input) => {
      if (principal.institution !== null) return principal.institution;
      return (await findNamedClock(domain, accessOf(record).institution, input)) ?? { clockOffsetMs: 0 };
    },
    resolveCaller: async (principal, ctx, record, input) => {
      await requireWithinCeiling(domain, record, principal);
      const { id, clockOffsetMs } = await resolveInstitution(domain, accessOf(record).institution, principal, input);
      return {
        institutionId: id,
        actor: { kind: actorKind[principal.role], id: principal.actorId },
        requestId: ctx.state.requestId,
        ...(ctx.state.clientAddress === undefined ? {} : { clientAddress: ctx.state.clientAddress }),
        ...clockOf(clockOffsetMs),
      };
    },
  };
}
