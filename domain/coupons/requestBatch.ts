import { countUndecidedBatches, insertBatch, type BatchRow, type NewBatch } from '../../db/repositories/coupons/batches';
import { lockInstitution } from '../../db/repositories/institutions/institutions';
import type { Transaction } from '../context';
import { DomainError, validationError } from '../errors';
import { newId } from '../ids';

/** Maximum number of undecided batches of an institution. */
const maxUndecided = 100;

/** Maximum years until an expiry date. */
const maxYears = 10;

function requireExpiry(expiryDate: Date, now: Date): void {
  const last = new Date(now);
  last.setUTCFullYear(last.getUTCFullYear() + maxYears);
  if (expiryDate <= now) throw validationError({ path: 'expiry_date', message: `expiry_date must be in the future: it is ${now.toISOString()} now` });
  if (expiryDate > last) throw validationError({ path: 'expiry_date', message: 'expiry_date must be within ten years' });
}

/** `conflict` if the institution has too many undecided batches; serialises concurrent requests. */
async function requireBatchCapacity(tx: Transaction): Promise<void> {
  await lockInstitution(tx);
  if ((await countUndecidedBatches(tx, tx.now)) >= maxUndecided) throw new DomainError('conflict', `The institution already has ${maxUndecided} undecided batches; request more after one of them is decided.`);
}

/**
 * Requests a batch of coupons (section Merits, allowance, coupons): it waits for a platform admin's decision until its
 * expiry date, at most ten years ahead (`validation_error`). `conflict` while 100 of the institution are undecided. Emits
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
