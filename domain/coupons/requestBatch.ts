import { insertBatch, type BatchRow, type NewBatch } from '../../db/repositories/couponBatches';
import type { Transaction } from '../context';
import { invalid } from '../errors';
import { newId } from '../ids';

/**
 * Requests a batch of coupons (section Merits, allowance, coupons): it waits for a platform admin's decision until its
 * expiry date, which lies in the future (`validation_error`). Emits `coupon.batch_requested`.
 */
export async function requestBatch(tx: Transaction, batch: NewBatch): Promise<BatchRow> {
  if (batch.expiry_date <= tx.now) throw invalid({ path: 'expiry_date', message: 'expiry_date must lie in the future' });
  const requested = await insertBatch(tx, newId('cpb'), batch, tx.now);
  const { id: batchId, total_coupons, value_cents } = requested;
  tx.startWorkflow('couponBatchApproval', batchId, { batchId, institutionId: tx.institutionId });
  tx.emit('coupon.batch_requested', { batch_id: batchId, total_coupons, value_cents });
  return requested;
}
