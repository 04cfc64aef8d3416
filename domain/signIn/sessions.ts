import { createHash, randomBytes } from 'node:crypto';
import { IsNull } from 'typeorm';
import type { Database } from '../../db/database';
import { SessionEntity, type SessionKind } from '../../db/entities/session';
import { findRecentSession, type SessionRow } from '../../db/repositories/sessions';
import type { Transaction } from '../context';
import { newId } from '../ids';
import { sessionLifetimeMs, signedOutAnswerMs } from './limits';

/** What every session token begins with. */
export const sessionPrefix = 'ses_';

const tokenBytes = 32;

const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** A session just opened; the token is told once and kept as a hash. */
export interface OpenedSession {
  token: string;
  expiresAt: Date;
}

/** Opens a session of 12 hours for a person. */
export async function openSession(tx: Transaction, userId: string, kind: SessionKind): Promise<OpenedSession> {
  const token = sessionPrefix + randomBytes(tokenBytes).toString('base64url');
  const expiresAt = new Date(tx.now.getTime() + sessionLifetimeMs);
  await tx.manager.insert(SessionEntity, {
    id: newId('sess'),
    institutionId: tx.institutionId,
    userId,
    kind,
    tokenHash: hashToken(token),
    createdAt: tx.now,
    expiresAt,
    endedAt: null,
  });
  return { token, expiresAt };
}

/** Ends a session; one that has ended keeps the time of its end. */
export async function endSession(tx: Transaction, sessionId: string): Promise<void> {
  await tx.manager.update(SessionEntity, { id: sessionId, institutionId: tx.institutionId, endedAt: IsNull() }, { endedAt: tx.now });
}

/** The session of a token, live or over for at most a day; undefined when it is unknown or over for longer. */
export function recogniseSession(database: Database, token: string, now: Date): Promise<SessionRow | undefined> {
  return findRecentSession(database.sql, hashToken(token), now, new Date(now.getTime() - signedOutAnswerMs));
}
