import { extendLockTimeout } from '../../db/lockTimeout';
import { endBatch, lockBatch, readBatch, failOpenRows, type BatchState } from '../../db/repositories/provisioning/batches';
import type { Transaction } from '../context';
import { DomainError } from '../errors';

const notCreatedError = new DomainError('internal_error', 'The student was not created in time and will not be created later.');

/**
 * Closes an open batch and returns it: rows not created by now never will be and get `internal_error`; their stored
 * personal emails are erased. No-op for a batch that has ended.
 */
export async function closeBatch(tx: Transaction, batchId: string): Promise<BatchState> {
  await extendLockTimeout(tx);
  const batch = await lockBatch(tx, batchId);
  if (batch?.status === 'open') {
    await failOpenRows(tx, batchId, notCreatedError.code, notCreatedError.message);
    await endBatch(tx, batchId, 'closed', tx.now);
  }
  return readBatch(tx, batchId);
}

/**
 * Ends a locked, open batch as `done` if every row has its outcome, and returns it; no personal email is stored for it by
 * then.
 */
export async function finishBatch(tx: Transaction, batchId: string): Promise<BatchState> {
  const batch = await readBatch(tx, batchId);
  if (batch.open > 0) return batch;
  await endBatch(tx, batchId, 'done', tx.now);
  return { ...batch, status: 'done' };
}
