import type { ApiKeyEntity } from '../../db/entities/apiKey';

export const keyStatuses = ['active', 'revoked', 'expired'] as const;
export type KeyStatus = (typeof keyStatuses)[number];

/** What a key is at `now`; a revoked one stays revoked when its expiry passes. */
export function keyStatusAt({ revokedAt, expiresAt }: Pick<ApiKeyEntity, 'revokedAt' | 'expiresAt'>, now: Date): KeyStatus {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}
