import { lockAllowance, writeMove } from '../../db/repositories/merits/moves';
import type { Transaction } from '../context';
import { newId } from '../ids';

/**
 * Sets what is left of the institution's allowance, in cents: the difference is granted by the platform, or taken back.
 * One that is as wanted moves nothing (section Merits, allowance, coupons).
 */
export async function setAllowance(tx: Transaction, allowanceCents: number): Promise<void> {
  const difference = allowanceCents - (await lockAllowance(tx));
  if (difference === 0) return;
  await writeMove(tx, { id: newId('mov'), kind: difference > 0 ? 'grant' : 'reclaim', amountCents: Math.abs(difference) }, tx.now);
}
