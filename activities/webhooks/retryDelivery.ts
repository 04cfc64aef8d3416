import { ApplicationFailure } from '@temporalio/common';
import { claimDelivery, handOverDelivery } from '../../db/repositories/webhooks/retries';
import type { AttemptReason } from '../../domain/webhooks/classifyAttempt';
import { readDeliveryPlan, type DeliveryPlan } from '../../domain/webhooks/readDeliveryPlan';
import type { DeliveryCycle } from '../../domain/webhooks/endWithoutAttempt';
import { deliveryWindowMs } from '../../domain/webhooks/retrySchedule';
import { nonRetryable } from '../../workflows/contract';
import { withHeartbeats } from '../heartbeats';
import { createDatabaseActivityNow } from '../activityNow';
import { attemptClaimed, type AttemptDeps } from './attemptDelivery';

/** What the retry workflow calls. `nowMs` is the workflow's time, so that skipped time tests the real rules. */
export interface RetryActivities {
  /** Reads the truth of a delivery; non-retryable `UnknownDelivery` when there is none. */
  readDeliveryPlan(cycle: DeliveryCycle, nowMs: number): Promise<DeliveryPlan>;
  /**
   * Attempts a delivery that is due (or asked for), records it and answers what follows. It is the attempt after `attempts`
   * others: once that is made it is not made again, whoever lost the answer; workflows of version 0.5.0 do not say. What is
   * due and finds no place goes to the endpoint's backlog, what is asked for is put off: nobody waits in an activity.
   */
  attemptDelivery(cycle: DeliveryCycle, reason: AttemptReason, nowMs: number, attempts?: number): Promise<DeliveryPlan>;
}

/** How long an attempt waits when another process holds the delivery, or there is no place left for it, in ms. */
const recheckAfterMs = 5_000;

/** The retry activities over one domain and one client. */
export function createRetryActivities(parts: AttemptDeps): RetryActivities {
  const { domain, attemptConcurrency } = parts;
  const { sql } = domain.database;
  const activityNow = createDatabaseActivityNow(sql);
  const plan = async (cycle: DeliveryCycle, now: Date): Promise<DeliveryPlan> => {
    const found = await readDeliveryPlan(domain, cycle, now);
    if (found === undefined) throw ApplicationFailure.nonRetryable('No such delivery', nonRetryable.unknownDelivery);
    return found;
  };
  /** False when the delivery cannot be claimed: it is in other hands, or was paused since it was looked at. */
  const claimAndAttempt = async ({ institutionId, deliveryId, cycle }: DeliveryCycle, reason: AttemptReason, now: Date, attempts: number): Promise<boolean> => {
    // The same owner on every try of this activity: a try after a crash takes its own claim over.
    const claimedBy = `${deliveryId}:${cycle}`;
    const delivery = await claimDelivery(sql, { institutionId, deliveryId, claimedBy, now, statuses: ['retrying'], windowMs: deliveryWindowMs, attempts });
    if (delivery === undefined) return false;
    await attemptClaimed(parts, delivery, { claimedBy, reason, now });
    return true;
  };
  const handOver = async ({ institutionId, deliveryId, cycle }: DeliveryCycle, at: Date): Promise<void> => {
    if ((await handOverDelivery(sql, institutionId, deliveryId, cycle, at)) > 0) domain.onCommitted(['workflows']);
  };
  const attempt = async (cycle: DeliveryCycle, reason: AttemptReason, now: Date, seen: number | undefined): Promise<DeliveryPlan> => {
    const before = await plan(cycle, now);
    const { attempts, endpointId } = before;
    if (before.state !== 'retrying' || (seen ?? attempts) !== attempts) return before;
    if (reason === 'schedule' && before.nextAttemptAtMs > now.getTime()) return before;
    const made = await attemptConcurrency.tryRun({ endpointId, institutionId: cycle.institutionId }, () => claimAndAttempt(cycle, reason, now, attempts));
    const againAtMs = now.getTime() + recheckAfterMs;
    if (made === undefined && reason === 'request') return { ...before, nextAttemptAtMs: againAtMs, putOff: true };
    if (made === undefined) await handOver(cycle, new Date(againAtMs));
    const after = await plan(cycle, now);
    return made?.result === true || after.state !== 'retrying' ? after : { ...after, nextAttemptAtMs: againAtMs };
  };
  return {
    readDeliveryPlan: (cycle, nowMs) => plan(cycle, new Date(nowMs)),
    attemptDelivery: (cycle, reason, nowMs, attempts) => withHeartbeats(async () => attempt(cycle, reason, await activityNow(nowMs), attempts)),
  };
}
