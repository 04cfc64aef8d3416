import { lockBatch, writeDecision, type BatchRow, type Decision } from '../../db/repositories/coupons/batches';
import type { Transaction } from '../context';
import { DomainError, requireFound } from '../errors';
import { decisionTransitions, decisionStateAt } from './transitions';

/**
 * Approves or rejects a coupon batch (platform API, approve and reject) and signals the workflow that waits for it, which
 * creates the codes of an approved one. No-op if unchanged. `conflict` after the opposite decision, and from the expiry date on.
 */
export async function decideBatch(tx: Transaction, batchId: string, decision: Decision, reason: string | null): Promise<BatchRow> {
  const batch = requireFound(await lockBatch(tx, batchId), 'coupon batch');
  const state = decisionStateAt(batch, tx.now);
  const transition = decisionTransitions[decision][state];
  if (transition === 'unchanged') return batch;
  if (transition === 'conflict') throw new DomainError('conflict', `The batch is ${state} and can no longer be ${decision}.`);
  tx.signalWorkflow('look', batchId, {});
  return writeDecision(tx, batchId, decision, reason, tx.now);
}
