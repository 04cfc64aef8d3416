import { endDelivery, holdDelivery, readTruth, type DeliveryTruth } from '../../db/repositories/sending';
import type { Sql } from '../../db/statement';

/** One replay cycle of one delivery. */
export interface DeliveryCycle {
  deliveryId: string;
  institutionId: string;
  cycle: number;
}

/** What a retry workflow goes by: plain numbers, because it is written into histories. Times in ms since 1970. */
export interface DeliveryPlan {
  /** `ended` once this cycle needs no more attempts; `held` while its endpoint or institution takes none. */
  state: 'retrying' | 'held' | 'ended';
  /** The delivery's status in words of the API; `replayed` when a later cycle has taken over. */
  outcome: string;
  attempts: number;
  lastResponseCode: number | null;
  nextAttemptAtMs: number;
  deadlineAtMs: number;
}

const openStatuses = new Set(['pending', 'retrying', 'held']);

function plan(truth: DeliveryTruth, state: DeliveryPlan['state'], outcome: string = truth.status): DeliveryPlan {
  return {
    state,
    outcome,
    attempts: truth.attempts,
    lastResponseCode: truth.response_code,
    nextAttemptAtMs: truth.next_attempt_at?.getTime() ?? 0,
    deadlineAtMs: truth.deadline_at?.getTime() ?? 0,
  };
}

/**
 * Reads the truth of a delivery and settles what it implies: a passed deadline or a disabled endpoint ends it dead,
 * a deleted endpoint cancels it, a paused endpoint or suspended institution holds it. Undefined when it is unknown.
 */
export async function readPlan(sql: Sql, { deliveryId, institutionId, cycle }: DeliveryCycle, now: Date): Promise<DeliveryPlan | undefined> {
  const truth = await readTruth(sql, institutionId, deliveryId);
  if (truth === undefined) return undefined;
  if (truth.cycle !== cycle) return plan(truth, 'ended', 'replayed');
  if (!openStatuses.has(truth.status)) return plan(truth, 'ended');
  if (truth.endpoint_deleted || truth.endpoint_status === 'disabled') {
    const status = truth.endpoint_deleted ? 'cancelled' : 'dead';
    await endDelivery(sql, institutionId, deliveryId, cycle, status);
    return plan(truth, 'ended', status);
  }
  if (truth.endpoint_status === 'paused' || truth.institution_status !== 'approved') {
    const held = await holdDelivery(sql, institutionId, deliveryId, cycle);
    return held ? plan(truth, 'held', 'held') : readPlan(sql, { deliveryId, institutionId, cycle }, now);
  }
  if (truth.deadline_at !== null && truth.deadline_at <= now) {
    await endDelivery(sql, institutionId, deliveryId, cycle, 'dead');
    return plan(truth, 'ended', 'dead');
  }
  return plan(truth, truth.status === 'held' ? 'held' : 'retrying');
}
