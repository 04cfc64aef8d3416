import type { ApiKeyEntity } from '../../db/entities/apiKey';

export const keyStatuses = ['active', 'revoked', 'expired'] as const;
export type KeyStatus = (typeof keyStatuses)[number];

/** Returns the status of a key at `now`; a revoked key stays revoked after its expiry. */
export function keyStatusAt({ revokedAt, expiresAt }: Pick<ApiKeyEntity, 'revokedAt' | 'expiresAt'>, now: Date): KeyStatus {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}
