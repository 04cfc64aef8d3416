import type { ApiKeyEntity } from '../../../db/entities/apiKey';
import { keyStatusAt } from '../../../domain/keys/keyStatus';

/** A key as the portal shows it (section Authentication, 2): never the key itself. */
export function presentKey(key: ApiKeyEntity, now: Date): object {
  return {
    key_id: key.id,
    name: key.name,
    scopes: key.scopes,
    rate_limit_per_min: key.rateLimitPerMin,
    environment: 'live',
    prefix: key.prefix,
    last_four: key.lastFour,
    status: keyStatusAt(key, now),
    created_by: key.createdBy,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    expires_at: key.expiresAt?.toISOString() ?? null,
  };
}
