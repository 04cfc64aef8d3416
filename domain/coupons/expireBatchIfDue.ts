import { lockBatch, writeExpiry, type BatchRow } from '../../db/repositories/coupons/batches';
import type { Transaction } from '../context';
import { decisionStateAt } from './transitions';

/** How a batch stands now; one whose expiry date has come undecided is ended by this. Undefined where there is none. */
export async function expireBatchIfDue(tx: Transaction, batchId: string): Promise<BatchRow | undefined> {
  const batch = await lockBatch(tx, batchId);
  if (batch?.status !== 'pending' || decisionStateAt(batch, tx.now) !== 'expired') return batch;
  return writeExpiry(tx, batchId, tx.now);
}
