import { deleteConsoleSessionsOf } from '../../db/repositories/staff/consoleSessions';
import { lockStaff, updateStaffRow } from '../../db/repositories/staff/staff';
import { markStaffTokensRevoked } from '../../db/repositories/staff/tokens';
import type { Transaction } from '../context';
import { requireFound } from '../errors';

/** Revokes a person: their tokens and their sessions of the console end at once, and they cannot sign in. No-op for a revoked person. */
export async function revokeStaff(tx: Transaction, id: string): Promise<void> {
  const staff = requireFound(await lockStaff(tx.sql, id), 'person of the staff', { within: 'service' });
  if (staff.revoked_at !== null) return;
  await markStaffTokensRevoked(tx.sql, id, tx.now);
  await deleteConsoleSessionsOf(tx.sql, id);
  await updateStaffRow(tx.sql, { ...staff, revoked_at: tx.now }, tx.now);
}
