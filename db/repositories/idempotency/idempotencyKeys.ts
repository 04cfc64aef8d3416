import type { InstitutionScope } from '../../database';
import { statement, type Sql } from '../../statement';

/** The call that an idempotency key was first used with. */
export interface StoredCallRow {
  request_sha256: Buffer;
  response_sealed: string;
}

const claim = statement('idempotency_claim', 'SELECT request_sha256, response_sealed FROM claim_idempotency_key($1, $2, $3)');

/**
 * Claims a key of the institution until the transaction ends, waiting at most so many ms for another that has claimed it, and
 * returns its stored call, if there is one. A lock timeout where the other takes longer.
 */
export async function claimIdempotencyKey(scope: InstitutionScope, key: string, waitMs: number): Promise<StoredCallRow | undefined> {
  const [row] = await scope.sql<StoredCallRow>(claim, [scope.institutionId, key, waitMs]);
  return row;
}

const find = statement(
  'idempotency_find',
  `SELECT request_sha256, response_sealed FROM idempotency_keys
    WHERE institution_id = $1 AND key = $2 AND created_at > clock_timestamp() - interval '24 hours'`,
);

/** Returns the stored call of a key of the institution, if there is one. */
export async function findIdempotencyKey(scope: InstitutionScope, key: string): Promise<StoredCallRow | undefined> {
  const [row] = await scope.sql<StoredCallRow>(find, [scope.institutionId, key]);
  return row;
}

/** Stored responses that are longer, in bytes, are counted; the index of the large ones has the same bound. */
export const largeResponseBytes = 16_384;

const sumLarge = statement(
  'idempotency_sum_large',
  `SELECT coalesce(sum(response_bytes), 0)::float8 AS bytes FROM idempotency_keys
    WHERE institution_id = $1 AND response_bytes > 16384 AND created_at > clock_timestamp() - interval '24 hours'`,
);

/** Returns the bytes of the institution's large stored responses. */
export async function sumLargeResponses(scope: InstitutionScope): Promise<number> {
  const [row] = await scope.sql<{ bytes: number }>(sumLarge, [scope.institutionId]);
  return row?.bytes ?? 0;
}

const deleteExpired = `DELETE FROM idempotency_keys k USING (
    SELECT institution_id, key FROM idempotency_keys WHERE created_at < clock_timestamp() - interval '24 hours'
     ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED) expired
  WHERE k.institution_id = expired.institution_id AND k.key = expired.key RETURNING 1 AS deleted`;

/** Deletes keys that have expired, at most `limit`; returns how many. The database determines their age. */
export async function deleteExpiredIdempotencyKeys(sql: Sql, limit: number): Promise<number> {
  const rows = await sql(deleteExpired, [limit]);
  return rows.length;
}
