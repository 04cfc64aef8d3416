import { timingSafeEqual } from 'node:crypto';
import type { Database } from '../../db/database';
import type { KeyEnvironment } from '../../db/entities/apiKey';
import { findKeyByHash, type AuthenticatedKeyRow } from '../../db/repositories/keys/keys';
import { hashToken } from '../../lib/hashToken';
import { DomainError } from '../errors';

/** The prefixes of API keys (section Authentication, 2): those of sandboxes differ, so that a test key is never taken for a live one. */
export const keyPrefixes: Record<KeyEnvironment, string> = { live: 'svc_live_', test: 'svc_test_' };

/** An unknown key, which is none here, or one that is revoked or expired, or whose institution is not approved: the log names it, the answer never does. */
export class UnusableKeyError extends DomainError {
  constructor(readonly key: Pick<AuthenticatedKeyRow, 'id' | 'institution_id'> | undefined) {
    super('invalid_api_key', 'This API key is not valid: it is unknown, revoked or expired, or its institution is not approved.');
  }
}

function isUsableKey(row: AuthenticatedKeyRow | undefined, hash: Buffer, now: Date): row is AuthenticatedKeyRow {
  if (row === undefined || !timingSafeEqual(row.key_hash, hash)) return false;
  const expired = row.expires_at !== null && row.expires_at <= now;
  return row.revoked_at === null && !expired && row.institution_status === 'approved';
}

/**
 * Returns the key of a bearer token. `unauthorized` without a token, with the sentence
 * `missing` about what was sent instead, and for one without the service's prefix; `invalid_api_key`, as an
 * {@link UnusableKeyError}, for unknown, revoked and expired keys and those of institutions not approved (section Authentication, 8).
 */
export async function authenticateKey(database: Database, token: string | undefined, now: Date, missing = 'It is missing, or is not "Bearer", a space and the key.'): Promise<AuthenticatedKeyRow> {
  const form = `"Authorization: Bearer ${keyPrefixes.live}…", with a test key "${keyPrefixes.test}…"`;
  if (token === undefined) throw new DomainError('unauthorized', `Send the header ${form}. ${missing}`);
  if (!Object.values(keyPrefixes).some((prefix) => token.startsWith(prefix))) {
    throw new DomainError('unauthorized', `Send the header ${form}. The token that was sent begins with neither.`);
  }
  const hash = hashToken(token);
  const row = await findKeyByHash(database.sql, hash);
  if (!isUsableKey(row, hash, now)) throw new UnusableKeyError(row);
  return row;
}
