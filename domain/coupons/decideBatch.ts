import { lockBatch, writeDecision, type BatchRow, type Decision } from '../../db/repositories/coupons/batches';
import type { Transaction } from '../context';
import { DomainError } from '../errors';
import { assertBatchFound } from './requireBatch';
import { decisionTransitions, decisionStateAt } from './transitions';

/**
 * Decides a coupon batch (platform API, approve and reject): the workflow that waits for it is told, and makes the codes of
 * an approved one. The same decision again changes nothing. `conflict` after the other one, and from the expiry date on.
 */
export async function decideBatch(tx: Transaction, batchId: string, decision: Decision, reason: string | null): Promise<BatchRow> {
  const batch = assertBatchFound(await lockBatch(tx, batchId));
  const state = decisionStateAt(batch, tx.now);
  const transition = decisionTransitions[decision][state];
  if (transition === 'unchanged') return batch;
  if (transition === 'conflict') throw new DomainError('conflict', `The batch is ${state}, and cannot be ${decision} any more.`);
  tx.signalWorkflow('look', batchId, {});
  return writeDecision(tx, batchId, decision, reason, tx.now);
}
