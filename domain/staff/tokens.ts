import { randomBytes } from 'node:crypto';
import type { Database } from '../../db/database';
import { lockStaff } from '../../db/repositories/staff/staff';
import {
  countLiveStaffTokens, findLiveStaffToken, insertStaffToken, markStaffTokenRevoked, touchStaffToken, type LiveStaffTokenRow, type StaffTokenRow,
} from '../../db/repositories/staff/tokens';
import { hashToken } from '../../lib/hashToken';
import type { Transaction } from '../context';
import { DomainError, notFound } from '../errors';
import { newId } from '../ids';
import { requireActiveStaff } from './requireStaff';

/** The prefix of every personal token. */
export const staffTokenPrefix = 'svc_staff_';

const tokenBytes = 32;
const maxLiveTokens = 10;
const dayMs = 86_400_000;

/** The fields of a new personal token. */
export interface NewToken {
  name: string;
  expires_in_days: number;
}

/** Creates a personal token of a person, which is returned only once and stored as a hash. `conflict` for a revoked person and beyond 10 live tokens. */
export async function createStaffToken(tx: Transaction, createdBy: string, staffId: string, { name, expires_in_days }: NewToken): Promise<{ row: StaffTokenRow; token: string }> {
  requireActiveStaff(await lockStaff(tx.sql, staffId));
  if ((await countLiveStaffTokens(tx.sql, staffId, tx.now)) >= maxLiveTokens) {
    throw new DomainError('conflict', `A person can have at most ${maxLiveTokens} live tokens; revoke one first.`);
  }
  const token = staffTokenPrefix + randomBytes(tokenBytes).toString('base64url');
  const row = await insertStaffToken(tx.sql, {
    id: newId('stk'),
    staff_id: staffId,
    name,
    token_hash: hashToken(token),
    last_four: token.slice(-4),
    created_by: createdBy,
    created_at: tx.now,
    expires_at: new Date(tx.now.getTime() + expires_in_days * dayMs),
  });
  return { row, token };
}

/** Returns the status of a personal token at a moment. */
export function staffTokenStatusAt({ revoked_at, expires_at }: Pick<StaffTokenRow, 'revoked_at' | 'expires_at'>, now: Date): 'active' | 'expired' | 'revoked' {
  if (revoked_at !== null) return 'revoked';
  return expires_at <= now ? 'expired' : 'active';
}

/** Revokes a personal token: its next request fails, and the console's sessions that it began end. `not_found` if the person has no such token. */
export async function revokeStaffToken(tx: Transaction, staffId: string, tokenId: string): Promise<void> {
  if (!(await markStaffTokenRevoked(tx.sql, staffId, tokenId, tx.now))) throw notFound('token', { within: 'service' });
}

/** Returns the live personal token that was sent, and whose it is; undefined for any other text. Sets its `last_used_at`. */
export async function findStaffToken({ sql }: Pick<Database, 'sql'>, token: string, now: Date): Promise<LiveStaffTokenRow | undefined> {
  if (!token.startsWith(staffTokenPrefix)) return undefined;
  const found = await findLiveStaffToken(sql, hashToken(token), now);
  if (found !== undefined) await touchStaffToken(sql, found.id, now);
  return found;
}
