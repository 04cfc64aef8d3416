import { randomBytes } from 'node:crypto';
import type { Database } from '../../db/database';
import type { SessionKind } from '../../db/entities/session';
import { endSeats } from '../../db/repositories/devices/seats';
import { findRecentSession, findSessionsBeyond, insertSession, markSessionEnded, type SessionRow } from '../../db/repositories/signIn/sessions';
import { hashToken } from '../../lib/hashToken';
import type { Transaction } from '../context';
import { newId } from '../ids';
import { maxSessions, sessionLifetimeMs, signedOutGraceMs } from './limits';

/** The prefix of every session token. */
export const sessionPrefix = 'ses_';

const tokenBytes = 32;

/** A session just opened; the token is returned only once and stored as a hash. */
export interface OpenedSession {
  id: string;
  token: string;
  expiresAt: Date;
}

/** Opens a session of 12 hours for a person, whose account is locked. Beyond 20 live sessions the oldest end. */
export async function openSession(tx: Transaction, userId: string, kind: SessionKind): Promise<OpenedSession> {
  const token = sessionPrefix + randomBytes(tokenBytes).toString('base64url');
  const id = newId('sess');
  const expiresAt = new Date(tx.now.getTime() + sessionLifetimeMs);
  await insertSession(tx, {
    id,
    userId,
    kind,
    tokenHash: hashToken(token),
    createdAt: tx.now,
    expiresAt,
    endedAt: null,
  });
  for (const oldest of await findSessionsBeyond(tx, userId, tx.now, maxSessions)) await endSession(tx, oldest);
  return { id, token, expiresAt };
}

/** Ends a session and its seat. No-op if already ended. */
export async function endSession(tx: Transaction, sessionId: string): Promise<void> {
  await endSeats(tx, 'session', sessionId, 'signed_out', tx.now);
  await markSessionEnded(tx, sessionId, tx.now);
}

/** Returns the session of a token, active or ended at most a day ago; undefined if unknown or ended earlier. */
export function findSessionByToken(database: Database, token: string, now: Date): Promise<SessionRow | undefined> {
  return findRecentSession(database.sql, hashToken(token), now, new Date(now.getTime() - signedOutGraceMs));
}
