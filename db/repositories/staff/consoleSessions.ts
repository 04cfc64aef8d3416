import { statement, type Sql } from '../../statement';
import type { StaffRole } from './staff';

/** A session of the console, and whose it is. */
export interface ConsoleSessionRow {
  expires_at: Date;
  staff_id: string;
  staff_name: string;
  role: StaffRole;
}

const live = statement(
  'console_session_live',
  `SELECT c.expires_at, c.staff_id, s.name AS staff_name, s.role
     FROM console_sessions c JOIN staff s ON s.id = c.staff_id LEFT JOIN staff_tokens t ON t.id = c.token_id
    WHERE c.id_hash = $1 AND c.expires_at > $2 AND s.revoked_at IS NULL AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $2)`,
);

/** Returns the session with this SHA-256 of its id, unless it or the token that began it has expired, or its person or that token is revoked. */
export async function findLiveConsoleSession(sql: Sql, idHash: Buffer, now: Date): Promise<ConsoleSessionRow | undefined> {
  const [row] = await sql<ConsoleSessionRow>(live, [idHash, now]);
  return row;
}

const insert = statement('console_session_insert', 'INSERT INTO console_sessions (id_hash, staff_id, token_id, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)');

/** A new session; `tokenId` names the personal token that began it, if one did. */
export interface NewConsoleSession {
  idHash: Buffer;
  staffId: string;
  tokenId: string | null;
  createdAt: Date;
  expiresAt: Date;
}

/** Inserts a session of a locked person. */
export async function insertConsoleSession(sql: Sql, { idHash, staffId, tokenId, createdAt, expiresAt }: NewConsoleSession): Promise<void> {
  await sql(insert, [idHash, staffId, tokenId, createdAt, expiresAt]);
}

const end = statement('console_session_end', 'DELETE FROM console_sessions WHERE id_hash = $1');

/** Deletes a session. */
export async function deleteConsoleSession(sql: Sql, idHash: Buffer): Promise<void> {
  await sql(end, [idHash]);
}

const endAll = statement('console_session_end_all', 'DELETE FROM console_sessions WHERE staff_id = $1');

/** Deletes every session of a person. */
export async function deleteConsoleSessionsOf(sql: Sql, staffId: string): Promise<void> {
  await sql(endAll, [staffId]);
}

const prune = statement('console_session_prune', 'DELETE FROM console_sessions WHERE expires_at <= $1');

/** Deletes the sessions that have expired. */
export async function deleteExpiredConsoleSessions(sql: Sql, now: Date): Promise<void> {
  await sql(prune, [now]);
}
