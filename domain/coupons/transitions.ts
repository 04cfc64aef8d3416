import type { BatchRow, BatchStatus, Decision } from '../../db/repositories/coupons/batches';

/** The state of a batch by time and decision: an approved batch counts as approved before its codes exist. */
export type BatchDecisionState = 'undecided' | Decision | 'expired';

/** What a decision does in each state: a repeat is a no-op, and no decision can be undone. */
export const decisionTransitions = {
  approved: { undecided: 'decide', approved: 'unchanged', rejected: 'conflict', expired: 'conflict' },
  rejected: { undecided: 'decide', approved: 'conflict', rejected: 'unchanged', expired: 'conflict' },
} as const satisfies Record<Decision, Record<BatchDecisionState, 'decide' | 'unchanged' | 'conflict'>>;

/** Returns the state of a batch at `now`; an undecided batch is expired from its expiry date on, and an expired status stays even if the clock is behind. */
export function decisionStateAt({ status, decision, expiry_date }: Pick<BatchRow, 'status' | 'decision' | 'expiry_date'>, now: Date): BatchDecisionState {
  return decision ?? (status === 'expired' || expiry_date <= now ? 'expired' : 'undecided');
}

/** Returns the status that a batch shows at `now` (section States, Coupon batch): `approved` once all its codes exist. */
export function batchStatusAt(batch: Pick<BatchRow, 'status' | 'decision' | 'expiry_date'>, now: Date): BatchStatus {
  return decisionStateAt(batch, now) === 'expired' ? 'expired' : batch.status;
}
