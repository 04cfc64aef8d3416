import { countBatch, endBatch, lockBatch, refuseOpenRows } from '../../db/repositories/provisioning';
import type { Transaction } from '../context';
import { DomainError } from '../errors';

const notCreated = new DomainError('internal_error', 'The student was not created in time and will not be created later.');

/**
 * Gives an open batch up: what is not created by now never will be, and carries `internal_error`; the personal
 * emails that were kept for it are erased. A batch that has ended stays as it is.
 */
export async function closeBatch(tx: Transaction, batchId: string): Promise<void> {
  const batch = await lockBatch(tx, batchId);
  if (batch?.status !== 'open') return;
  await refuseOpenRows(tx, batchId, notCreated.code, notCreated.message);
  await endBatch(tx, batchId, 'closed', tx.now);
}

/** Ends a locked, open batch as `done` if every row has its outcome; no personal email is kept for it by then. */
export async function finishBatch(tx: Transaction, batchId: string): Promise<void> {
  const { open } = await countBatch(tx, batchId);
  if (open === 0) await endBatch(tx, batchId, 'done', tx.now);
}
