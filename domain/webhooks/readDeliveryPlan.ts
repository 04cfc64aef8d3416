import { finalStatusByReason, type EndReason } from '../../db/repositories/webhooks/deliveryStatus';
import { holdDelivery, readDeliveryState, type DeliveryState } from '../../db/repositories/webhooks/retries';
import type { Domain } from '../context';
import { endOpenDelivery, type DeliveryCycle } from './endWithoutAttempt';
import { openStatuses } from './transitions';

/** The plan that a retry workflow follows: plain numbers, because it is recorded in histories. Times in ms since 1970. */
export interface DeliveryPlan {
  /** `ended` once this workflow has nothing left to wait for; only version 0.1.0 returned `held`. */
  state: 'retrying' | 'held' | 'ended';
  /** The delivery's status as in the API; `replayed` if a later cycle, `handed over` if the endpoint's backlog has taken over. */
  outcome: string;
  attempts: number;
  lastResponseCode: number | null;
  nextAttemptAtMs: number;
  deadlineAtMs: number;
  endpointId: string;
  /** How far the clock of a sandbox is ahead, by which the times are; absent if it is not. */
  clockOffsetMs?: number;
  /** The requested attempt found no free slot, and must be requested again at `nextAttemptAtMs`. */
  putOff?: boolean;
}

function toPlan(row: DeliveryState, state: DeliveryPlan['state'], outcome: string = row.status): DeliveryPlan {
  return {
    state,
    outcome,
    attempts: row.attempts,
    lastResponseCode: row.response_code,
    nextAttemptAtMs: row.next_attempt_at?.getTime() ?? 0,
    deadlineAtMs: row.deadline_at?.getTime() ?? 0,
    endpointId: row.endpoint_id,
    ...(row.clock_offset_ms === 0 ? {} : { clockOffsetMs: row.clock_offset_ms }),
  };
}

/**
 * Reads a delivery and applies what follows from its state: a passed deadline or a disabled endpoint makes it dead, a
 * deleted endpoint cancels it; while the endpoint is paused, its circuit open or the institution suspended, the backlog
 * takes over. Returns undefined for an unknown delivery.
 */
export async function readDeliveryPlan(domain: Pick<Domain, 'database' | 'onCommitted'>, cycle: DeliveryCycle, now: Date): Promise<DeliveryPlan | undefined> {
  const { deliveryId, institutionId } = cycle;
  const { sql } = domain.database;
  const row = await readDeliveryState(sql, institutionId, deliveryId);
  if (row === undefined) return undefined;
  if (row.cycle !== cycle.cycle) return toPlan(row, 'ended', 'replayed');
  if (!openStatuses.has(row.status)) return toPlan(row, 'ended');
  const ending = endReasonOf(row, now);
  if (ending !== undefined) {
    // If another process has ended it in between, its result counts.
    if (!(await endOpenDelivery(domain, cycle, ending, now))) return readDeliveryPlan(domain, cycle, now);
    return toPlan(row, 'ended', finalStatusByReason[ending]);
  }
  if (row.retried_by === 'backlog') return toPlan(row, 'ended', 'handed over');
  if (isEndpointBlocked(row)) {
    const held = await holdDelivery(sql, institutionId, deliveryId, cycle.cycle, now);
    return held ? toPlan(row, 'ended', 'handed over') : readDeliveryPlan(domain, cycle, now);
  }
  return toPlan(row, 'retrying');
}

function endReasonOf({ endpoint_deleted, endpoint_status, institution_status, deadline_at }: DeliveryState, now: Date): EndReason | undefined {
  if (endpoint_deleted) return 'endpoint_deleted';
  if (endpoint_status === 'disabled') return 'endpoint_disabled';
  // A pause stops the clock.
  const runs = endpoint_status === 'active' && institution_status === 'approved';
  return runs && deadline_at !== null && deadline_at <= now ? 'deadline' : undefined;
}

const isEndpointBlocked = ({ endpoint_status, circuit, institution_status }: DeliveryState): boolean =>
  endpoint_status === 'paused' || circuit === 'open' || institution_status !== 'approved';
