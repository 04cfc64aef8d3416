import { createHash, timingSafeEqual } from 'node:crypto';
import type { Database } from '../../db/database';
import { findKeyByHash, type AuthenticatedKeyRow } from '../../db/repositories/keys/keys';
import { DomainError } from '../errors';

/** What every API key begins with (section Authentication, 2). */
export const keyPrefix = 'svc_live_';

/** The form in which a key is kept and looked up. */
export function hashKey(apiKey: string): Buffer {
  return createHash('sha256').update(apiKey).digest();
}

function isUsableKey(row: AuthenticatedKeyRow | undefined, hash: Buffer, now: Date): row is AuthenticatedKeyRow {
  if (row === undefined || !timingSafeEqual(row.key_hash, hash)) return false;
  const expired = row.expires_at !== null && row.expires_at <= now;
  return row.revoked_at === null && !expired && row.institution_status === 'approved';
}

/**
 * The key of a bearer token. A token without the service's prefix is `unauthorized`; unknown, revoked and expired
 * keys and those of institutions not approved are all the same `invalid_api_key` (section Authentication, 8).
 */
export async function authenticateKey(database: Database, token: string | undefined, now: Date): Promise<AuthenticatedKeyRow> {
  if (token?.startsWith(keyPrefix) !== true) {
    throw new DomainError('unauthorized', `Send the header "Authorization: Bearer ${keyPrefix}…".`);
  }
  const hash = hashKey(token);
  const row = await findKeyByHash(database.sql, hash);
  if (!isUsableKey(row, hash, now)) throw new DomainError('invalid_api_key', 'This API key is not valid.');
  return row;
}
