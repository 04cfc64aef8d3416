import { lockBatch, type BatchRow } from '../../db/repositories/coupons/batches';
import { insertCoupons } from '../../db/repositories/coupons/coupons';
import type { Transaction } from '../context';
import { newCode } from './codes';

/** Number of codes that one transaction creates. */
const codesPerTransaction = 500;

/**
 * Creates the next codes of an approved batch, idempotently; no-op if none is missing. The last chunk marks the batch
 * `approved` and emits `coupon.batch_approved`. Returns undefined for an unknown batch.
 */
export async function createCodes(tx: Transaction, batchId: string): Promise<BatchRow | undefined> {
  const batch = await lockBatch(tx, batchId);
  if (batch?.status !== 'pending' || batch.decision !== 'approved') return batch;
  const { total_coupons, value_cents, codes_made } = batch;
  const codes = Array.from({ length: Math.min(codesPerTransaction, total_coupons - codes_made) }, newCode);
  const made = { ...batch, ...(await insertCoupons(tx, batchId, codes, tx.now)) };
  if (made.status === 'approved') tx.emit('coupon.batch_approved', { batch_id: batchId, total_coupons, value_cents });
  return made;
}
