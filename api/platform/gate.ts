import { createHash, timingSafeEqual } from 'node:crypto';
import type { Domain } from '../../domain/context';
import { DomainError } from '../../domain/errors';
import type { PlatformCaller } from '../http/endpoint';
import type { Gate } from '../http/dispatch';
import type { ApiMiddleware } from '../http/state';

const bearer = /^Bearer +(\S+)$/i;
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Learns who calls the platform API: the platform's token, or nobody yet (public operations). */
export function recognise(_domain: Domain, platformToken: string): ApiMiddleware {
  const expected = digest(platformToken);
  return async (ctx, next) => {
    const token = bearer.exec(ctx.get('Authorization'))?.[1];
    const isPlatform = token !== undefined && timingSafeEqual(digest(token), expected);
    ctx.state.platform = isPlatform
      ? { role: 'platform', actorId: 'platform', institutionId: null }
      : { role: 'public', actorId: 'public', institutionId: null };
    await next();
  };
}

/** Lets a caller in by role; whoever is not recognised is `unauthorized`, a role too many `forbidden`. */
export const platformGate: Gate<PlatformCaller> = {
  admit: (record, ctx) => {
    const { platform } = ctx.state;
    if (platform === undefined || record.access.by !== 'platform') throw new Error('A platform operation stands behind recognition');
    const { roles } = record.access;
    if (roles.includes(platform.role) || roles.includes('public')) return platform;
    if (platform.role === 'public') throw new DomainError('unauthorized', 'Send the platform token or a session token.');
    throw new DomainError('forbidden', 'This role may not do this.');
  },
  callerOf: (who, ctx) => ({
    institutionId: who.institutionId ?? '',
    actor: { kind: 'platform', id: who.actorId },
    requestId: ctx.state.requestId,
    now: ctx.state.now,
  }),
};
