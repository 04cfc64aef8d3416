import type { BatchRow, BatchStatus, Decision } from '../../db/repositories/coupons/batches';

/** What the time and a decision make of a batch: one that was approved counts as such before its codes are made. */
export type BatchDecisionState = 'undecided' | Decision | 'expired';

/** What deciding does, by how the batch stands: a repeat changes nothing, and no decision is taken back. */
export const decisionTransitions = {
  approved: { undecided: 'decide', approved: 'unchanged', rejected: 'conflict', expired: 'conflict' },
  rejected: { undecided: 'decide', approved: 'conflict', rejected: 'unchanged', expired: 'conflict' },
} as const satisfies Record<Decision, Record<BatchDecisionState, 'decide' | 'unchanged' | 'conflict'>>;

/** How a batch stands at a moment; from its expiry date on, one that nobody has decided is expired, and stays so for a clock that is behind. */
export function decisionStateAt({ status, decision, expiry_date }: Pick<BatchRow, 'status' | 'decision' | 'expiry_date'>, now: Date): BatchDecisionState {
  return decision ?? (status === 'expired' || expiry_date <= now ? 'expired' : 'undecided');
}

/** The status that a batch shows at a moment (section States, Coupon batch): `approved` once all of its codes are there. */
export function batchStatusAt(batch: Pick<BatchRow, 'status' | 'decision' | 'expiry_date'>, now: Date): BatchStatus {
  return decisionStateAt(batch, now) === 'expired' ? 'expired' : batch.status;
}
