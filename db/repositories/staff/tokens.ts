import { newestFirst, readPage, type Page, type PageOf } from '../../page';
import { statement, type Sql } from '../../statement';
import type { StaffRole } from './staff';

/** A personal token, without the token itself. */
export interface StaffTokenRow {
  id: string;
  staff_id: string;
  name: string;
  last_four: string;
  created_by: string;
  created_at: Date;
  expires_at: Date;
  last_used_at: Date | null;
  revoked_at: Date | null;
}

const columns = 'id, staff_id, name, last_four, created_by, created_at, expires_at, last_used_at, revoked_at';

/** A live token, and whose it is. */
export interface LiveStaffTokenRow {
  id: string;
  staff_id: string;
  staff_name: string;
  role: StaffRole;
}

const live = statement(
  'staff_token_live',
  `SELECT t.id, t.staff_id, s.name AS staff_name, s.role FROM staff_tokens t JOIN staff s ON s.id = t.staff_id
    WHERE t.token_hash = $1 AND t.revoked_at IS NULL AND t.expires_at > $2 AND s.revoked_at IS NULL`,
);

/** Returns the token with this SHA-256 if neither it nor its person is revoked, and it has not expired. */
export async function findLiveStaffToken(sql: Sql, tokenHash: Buffer, now: Date): Promise<LiveStaffTokenRow | undefined> {
  const [row] = await sql<LiveStaffTokenRow>(live, [tokenHash, now]);
  return row;
}

const touch = statement(
  'staff_token_touch',
  `UPDATE staff_tokens SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $2::timestamptz - interval '1 minute')`,
);

/** Updates a token's `last_used_at`, which is exact to a minute. */
export async function touchStaffToken(sql: Sql, id: string, now: Date): Promise<void> {
  await sql(touch, [id, now]);
}

/** Returns a page of a person's tokens in any state, newest first. */
export function listStaffTokens(sql: Sql, staffId: string, page: Page): Promise<PageOf<StaffTokenRow>> {
  const conditions = [{ sql: 'staff_id = $', value: staffId }];
  return readPage(sql, { columns, from: 'staff_tokens', conditions, order: newestFirst('created_at', 'id') }, page);
}

const countLive = statement('staff_token_count', 'SELECT count(*)::integer AS live FROM staff_tokens WHERE staff_id = $1 AND revoked_at IS NULL AND expires_at > $2');

/** Returns the number of a locked person's live tokens. */
export async function countLiveStaffTokens(sql: Sql, staffId: string, now: Date): Promise<number> {
  const [row] = await sql<{ live: number }>(countLive, [staffId, now]);
  return row?.live ?? 0;
}

const insert = statement(
  'staff_token_insert',
  `INSERT INTO staff_tokens (id, staff_id, name, token_hash, last_four, created_by, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${columns}`,
);

/** A new token of a locked person. */
export interface NewStaffToken extends Pick<StaffTokenRow, 'id' | 'staff_id' | 'name' | 'last_four' | 'created_by' | 'created_at' | 'expires_at'> {
  token_hash: Buffer;
}

/** Inserts a token. */
export async function insertStaffToken(sql: Sql, { id, staff_id, name, token_hash, last_four, created_by, created_at, expires_at }: NewStaffToken): Promise<StaffTokenRow> {
  const [row] = await sql<StaffTokenRow>(insert, [id, staff_id, name, token_hash, last_four, created_by, created_at, expires_at]);
  if (row === undefined) throw new Error('The token was not inserted');
  return row;
}

const revoke = statement('staff_token_revoke', 'UPDATE staff_tokens SET revoked_at = coalesce(revoked_at, $3) WHERE staff_id = $1 AND id = $2 RETURNING id');

/** Revokes a token; a revoked one keeps its time. Returns false if the person has no such token. */
export async function markStaffTokenRevoked(sql: Sql, staffId: string, id: string, now: Date): Promise<boolean> {
  return (await sql(revoke, [staffId, id, now])).length > 0;
}

const revokeAll = statement('staff_token_revoke_all', 'UPDATE staff_tokens SET revoked_at = $2 WHERE staff_id = $1 AND revoked_at IS NULL');

/** Revokes every token of a locked person. */
export async function markStaffTokensRevoked(sql: Sql, staffId: string, now: Date): Promise<void> {
  await sql(revokeAll, [staffId, now]);
}
