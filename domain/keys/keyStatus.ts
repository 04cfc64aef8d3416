import type { ApiKeyEntity } from '../../db/entities/apiKey';

export type KeyStatus = 'active' | 'revoked' | 'expired';

/** Returns the status of a key at `now`; a revoked key stays revoked after its expiry. */
export function keyStatusAt({ revokedAt, expiresAt }: Pick<ApiKeyEntity, 'revokedAt' | 'expiresAt'>, now: Date): KeyStatus {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}
