import { holdDelivery, readTruth, type DeliveryTruth } from '../../db/repositories/webhooks/retries';
import type { Domain } from '../context';
import { endOne, type DeliveryCycle } from './endWithoutAttempt';
import { openStatuses } from './transitions';

/** What a retry workflow goes by: plain numbers, because it is written into histories. Times in ms since 1970. */
export interface DeliveryPlan {
  /** `ended` once this workflow has nothing more to wait for; `held` was answered by version 0.1.0 alone. */
  state: 'retrying' | 'held' | 'ended';
  /** The delivery's status in words of the API; `replayed` when a later cycle, `handed over` when the endpoint's backlog has taken over. */
  outcome: string;
  attempts: number;
  lastResponseCode: number | null;
  nextAttemptAtMs: number;
  deadlineAtMs: number;
  endpointId: string;
  /** What was asked for found no place, and is to be asked for again at `nextAttemptAtMs`. */
  putOff?: boolean;
}

function plan(truth: DeliveryTruth, state: DeliveryPlan['state'], outcome: string = truth.status): DeliveryPlan {
  return {
    state,
    outcome,
    attempts: truth.attempts,
    lastResponseCode: truth.response_code,
    nextAttemptAtMs: truth.next_attempt_at?.getTime() ?? 0,
    deadlineAtMs: truth.deadline_at?.getTime() ?? 0,
    endpointId: truth.endpoint_id,
  };
}

/**
 * Reads the truth of a delivery and settles what it implies: a passed deadline or a disabled endpoint ends it dead,
 * a deleted endpoint cancels it; while the endpoint is paused, its circuit open or the institution suspended, its
 * backlog takes over. Undefined when it is unknown.
 */
export async function readPlan(domain: Pick<Domain, 'database' | 'onCommitted'>, cycle: DeliveryCycle, now: Date): Promise<DeliveryPlan | undefined> {
  const { deliveryId, institutionId } = cycle;
  const { sql } = domain.database;
  const truth = await readTruth(sql, institutionId, deliveryId);
  if (truth === undefined) return undefined;
  if (truth.cycle !== cycle.cycle) return plan(truth, 'ended', 'replayed');
  if (!openStatuses.has(truth.status)) return plan(truth, 'ended');
  const ending = endingOf(truth, now);
  if (ending !== undefined) {
    // Somebody else may have ended it meanwhile: what they made of it counts.
    if (!(await endOne(domain, cycle, ending))) return readPlan(domain, cycle, now);
    return plan(truth, 'ended', ending);
  }
  if (truth.retried_by === 'backlog') return plan(truth, 'ended', 'handed over');
  if (takesNone(truth)) {
    const held = await holdDelivery(sql, institutionId, deliveryId, cycle.cycle, now);
    return held ? plan(truth, 'ended', 'handed over') : readPlan(domain, cycle, now);
  }
  return plan(truth, 'retrying');
}

function endingOf({ endpoint_deleted, endpoint_status, institution_status, deadline_at }: DeliveryTruth, now: Date): 'dead' | 'cancelled' | undefined {
  if (endpoint_deleted) return 'cancelled';
  if (endpoint_status === 'disabled') return 'dead';
  // A pause holds the clock.
  const runs = endpoint_status === 'active' && institution_status === 'approved';
  return runs && deadline_at !== null && deadline_at <= now ? 'dead' : undefined;
}

const takesNone = ({ endpoint_status, circuit, institution_status }: DeliveryTruth): boolean =>
  endpoint_status === 'paused' || circuit === 'open' || institution_status !== 'approved';
