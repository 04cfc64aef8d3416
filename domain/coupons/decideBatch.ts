import { lockBatch, writeDecision, type BatchRow, type Decision } from '../../db/repositories/coupons/batches';
import type { Transaction } from '../context';
import { DomainError } from '../errors';
import { requiredBatch } from './requireBatch';
import { decisionTransitions, standingAt } from './transitions';

/**
 * Decides a coupon batch (platform API, approve and reject): the workflow that waits for it is told, and makes the codes of
 * an approved one. The same decision again changes nothing. `conflict` after the other one, and from the expiry date on.
 */
export async function decideBatch(tx: Transaction, batchId: string, decision: Decision, reason: string | null): Promise<BatchRow> {
  const batch = requiredBatch(await lockBatch(tx, batchId));
  const standing = standingAt(batch, tx.now);
  const turn = decisionTransitions[decision][standing];
  if (turn === 'unchanged') return batch;
  if (turn === 'conflict') throw new DomainError('conflict', `The batch is ${standing}, and cannot be ${decision} any more.`);
  tx.signalWorkflow('look', batchId, {});
  return writeDecision(tx, batchId, decision, reason, tx.now);
}
