import type { ApiKeyEntity } from '../../../db/entities/apiKey';
import { keyStatusAt } from '../../../domain/keys/keyStatus';
import { isoOrNull } from '../../http/request/fields';
import type { KeyResponse } from './keys.schemas';

/** A key as the portal shows it (section Authentication, 2): never the key itself. */
export function presentKey(key: ApiKeyEntity, now: Date): KeyResponse {
  return {
    key_id: key.id,
    name: key.name,
    scopes: key.scopes,
    rate_limit_per_min: key.rateLimitPerMin,
    environment: key.environment,
    prefix: key.prefix,
    last_four: key.lastFour,
    status: keyStatusAt(key, now),
    created_by: key.createdBy,
    created_at: key.createdAt.toISOString(),
    last_used_at: isoOrNull(key.lastUsedAt),
    expires_at: isoOrNull(key.expiresAt),
    revoked_at: isoOrNull(key.revokedAt),
  };
}
