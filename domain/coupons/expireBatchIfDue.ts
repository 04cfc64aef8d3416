import { lockBatch, writeExpiry, type BatchRow } from '../../db/repositories/coupons/batches';
import type { Transaction } from '../context';
import { decisionStateAt } from './transitions';

/** Returns a batch as of now, and ends it if its expiry date has passed without a decision. Undefined for an unknown batch. */
export async function expireBatchIfDue(tx: Transaction, batchId: string): Promise<BatchRow | undefined> {
  const batch = await lockBatch(tx, batchId);
  if (batch?.status !== 'pending' || decisionStateAt(batch, tx.now) !== 'expired') return batch;
  return writeExpiry(tx, batchId, tx.now);
}
