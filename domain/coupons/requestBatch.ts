import { countUndecidedBatches, insertBatch, type BatchRow, type NewBatch } from '../../db/repositories/coupons/batches';
import { lockInstitution } from '../../db/repositories/institutions/institutions';
import type { Transaction } from '../context';
import { DomainError, validationError } from '../errors';
import { newId } from '../ids';

/** So many batches of an institution wait for a decision at most. */
const maxUndecided = 100;

/** How far away an expiry date lies at most. */
const maxYears = 10;

function requireExpiry(expiryDate: Date, now: Date): void {
  const last = new Date(now);
  last.setUTCFullYear(last.getUTCFullYear() + maxYears);
  if (expiryDate <= now) throw validationError({ path: 'expiry_date', message: 'expiry_date must lie in the future' });
  if (expiryDate > last) throw validationError({ path: 'expiry_date', message: 'expiry_date must lie within ten years' });
}

/** One more undecided batch, whatever others are requested at this moment. */
async function requireBatchCapacity(tx: Transaction): Promise<void> {
  await lockInstitution(tx);
  if ((await countUndecidedBatches(tx, tx.now)) >= maxUndecided) throw new DomainError('conflict', `${maxUndecided} batches wait for a decision already.`);
}

/**
 * Requests a batch of coupons (section Merits, allowance, coupons): it waits for a platform admin's decision until its
 * expiry date, which lies in the next ten years (`validation_error`). `conflict` while 100 of the institution wait. Emits
 * `coupon.batch_requested`.
 */
export async function requestBatch(tx: Transaction, batch: NewBatch): Promise<BatchRow> {
  requireExpiry(batch.expiry_date, tx.now);
  await requireBatchCapacity(tx);
  const requested = await insertBatch(tx, newId('cpb'), batch, tx.now);
  const { id: batchId, total_coupons, value_cents } = requested;
  tx.startWorkflow('couponBatchApproval', batchId, { batchId, institutionId: tx.institutionId });
  tx.emit('coupon.batch_requested', { batch_id: batchId, total_coupons, value_cents });
  return requested;
}
