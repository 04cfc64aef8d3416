import type { Database } from '../../db/database';
import {
  deleteConsoleSession, deleteExpiredConsoleSessions, findLiveConsoleSession, insertConsoleSession, type ConsoleSessionRow,
} from '../../db/repositories/staff/consoleSessions';
import { lockStaff } from '../../db/repositories/staff/staff';
import { hashToken } from '../../lib/hashToken';
import type { Transaction } from '../context';
import { requireActiveStaff } from './requireStaff';

/** A session that begins: `id` is what the browser keeps; the database has its hash. */
export interface NewSession {
  id: string;
  staffId: string;
  /** The personal token that begins it: the session ends with the token. */
  tokenId: string | null;
  expiresAt: Date;
}

/** Begins a session of the console, and deletes those that have expired. `conflict` for a person who has just been revoked. */
export async function beginConsoleSession(tx: Transaction, { id, staffId, tokenId, expiresAt }: NewSession): Promise<void> {
  await deleteExpiredConsoleSessions(tx.sql, tx.now);
  requireActiveStaff(await lockStaff(tx.sql, staffId));
  await insertConsoleSession(tx.sql, { idHash: hashToken(id), staffId, tokenId, createdAt: tx.now, expiresAt });
}

/** Returns the session of this id if it is live. */
export function findConsoleSession({ sql }: Pick<Database, 'sql'>, id: string, now: Date): Promise<ConsoleSessionRow | undefined> {
  return findLiveConsoleSession(sql, hashToken(id), now);
}

/** Ends a session: a copy of its cookie is worth nothing from now on. */
export async function endConsoleSession({ sql }: Pick<Database, 'sql'>, id: string): Promise<void> {
  await deleteConsoleSession(sql, hashToken(id));
}
