import { lockAllowance, writeMove } from '../../db/repositories/merits/moves';
import type { Transaction } from '../context';
import { newId } from '../ids';

/**
 * Sets the remaining allowance of the institution, in cents, and records the difference as a grant or withdrawal of the
 * platform. No-op if unchanged (section Merits, allowance, coupons).
 */
export async function setAllowance(tx: Transaction, allowanceCents: number): Promise<void> {
  const difference = allowanceCents - (await lockAllowance(tx));
  if (difference === 0) return;
  await writeMove(tx, { id: newId('mov'), kind: difference > 0 ? 'grant' : 'reclaim', amountCents: Math.abs(difference) }, tx.now);
}
