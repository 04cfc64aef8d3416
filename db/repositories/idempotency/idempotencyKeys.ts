import { escapeLiteral } from 'pg';
import type { InstitutionScope } from '../../database';
import { statement, type Sql } from '../../statement';

/** The call that an idempotency key was first used with. */
export interface StoredCallRow {
  request_sha256: Buffer;
  response_sealed: string;
}

/** Whether a row of the database is a stored call. */
export function isStoredCall(row: unknown): row is StoredCallRow {
  return typeof row === 'object' && row !== null && 'request_sha256' in row && Buffer.isBuffer(row.request_sha256) && 'response_sealed' in row && typeof row.response_sealed === 'string';
}

/**
 * Returns the statement that claims a key of the institution until the transaction ends, waiting at most so many ms for
 * another that has claimed it, and whose row is its stored call, if there is one.
 */
export function claimKeyStatement(institutionId: string, key: string, waitMs: number): string {
  return `SELECT request_sha256, response_sealed FROM claim_idempotency_key(${escapeLiteral(institutionId)}, ${escapeLiteral(key)}, ${waitMs})`;
}

/** How long a key and its response are valid, as SQL; `claim_idempotency_key` has it too. */
const lifetime = "interval '24 hours'";

const find = statement(
  'idempotency_find',
  `SELECT request_sha256, response_sealed FROM idempotency_keys
    WHERE institution_id = $1 AND key = $2 AND created_at > clock_timestamp() - ${lifetime}`,
);

/** Returns the stored call of a key of the institution, if there is one. */
export async function findIdempotencyKey(scope: InstitutionScope, key: string): Promise<StoredCallRow | undefined> {
  const [row] = await scope.sql<StoredCallRow>(find, [scope.institutionId, key]);
  return row;
}

/** Stored responses whose sealed text is longer are counted, in bytes; the index of the large ones has the same bound. */
export const largeResponseBytes = 16_384;

const sumLarge = statement(
  'idempotency_sum_large',
  `SELECT coalesce(sum(response_bytes), 0)::float8 AS bytes FROM idempotency_keys
    WHERE institution_id = $1 AND response_bytes > ${largeResponseBytes} AND created_at > clock_timestamp() - ${lifetime}`,
);

/** Returns the bytes of the institution's large stored responses. */
export async function sumLargeResponses(scope: InstitutionScope): Promise<number> {
  const [row] = await scope.sql<{ bytes: number }>(sumLarge, [scope.institutionId]);
  return row?.bytes ?? 0;
}

const deleteExpired = `DELETE FROM idempotency_keys k USING (
    SELECT institution_id, key FROM idempotency_keys WHERE created_at < clock_timestamp() - ${lifetime}
     ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED) expired
  WHERE k.institution_id = expired.institution_id AND k.key = expired.key RETURNING 1 AS deleted`;

/** Deletes keys that have expired, at most `limit`; returns how many. The database determines their age. */
export async function deleteExpiredIdempotencyKeys(sql: Sql, limit: number): Promise<number> {
  const rows = await sql(deleteExpired, [limit]);
  return rows.length;
}
