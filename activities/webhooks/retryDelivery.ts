import { ApplicationFailure } from '@temporalio/common';
import { claimDelivery } from '../../db/repositories/retries';
import type { AttemptReason } from '../../domain/webhooks/attempts';
import { readPlan, type DeliveryPlan } from '../../domain/webhooks/deliveryPlan';
import type { DeliveryCycle } from '../../domain/webhooks/endWithoutAttempt';
import { deliveryWindowMs } from '../../domain/webhooks/retrySchedule';
import { nonRetryable } from '../../workflows/contract';
import { withHeartbeats } from '../heartbeats';
import { timeOfWork } from '../timeOfWork';
import { attemptClaimed, type AttemptParts } from './attemptDelivery';

/** What the retry workflow calls. `nowMs` is the workflow's time, so that skipped time tests the real rules. */
export interface RetryActivities {
  /** Reads the truth of a delivery; non-retryable `UnknownDelivery` when there is none. */
  readDeliveryPlan(cycle: DeliveryCycle, nowMs: number): Promise<DeliveryPlan>;
  /** Attempts a delivery that is due (or asked for), records it and answers what follows. */
  attemptDelivery(cycle: DeliveryCycle, reason: AttemptReason, nowMs: number): Promise<DeliveryPlan>;
}

/** How long an attempt waits when another process holds the delivery, or its institution has no place left, in ms. */
const lookAgainMs = 5_000;

/** The retry activities over one domain and one client. */
export function createRetryActivities(parts: AttemptParts): RetryActivities {
  const { sql } = parts.domain.database;
  const plan = async (cycle: DeliveryCycle, now: Date): Promise<DeliveryPlan> => {
    const found = await readPlan(parts.domain, cycle, now);
    if (found === undefined) throw ApplicationFailure.nonRetryable('No such delivery', nonRetryable.unknownDelivery);
    return found;
  };
  /** False when the delivery cannot be claimed: it is in other hands, or was paused since it was looked at. */
  const claimAndAttempt = async ({ institutionId, deliveryId, cycle }: DeliveryCycle, reason: AttemptReason, now: Date): Promise<boolean> => {
    // The same owner on every try of this activity: a try after a crash takes its own claim over.
    const claimedBy = `${deliveryId}:${cycle}`;
    const delivery = await claimDelivery(sql, { institutionId, deliveryId, claimedBy, now, statuses: ['retrying'], windowMs: deliveryWindowMs });
    if (delivery === undefined) return false;
    await attemptClaimed(parts, delivery, { claimedBy, reason, now });
    return true;
  };
  const attempt = async (cycle: DeliveryCycle, reason: AttemptReason, now: Date): Promise<DeliveryPlan> => {
    const before = await plan(cycle, now);
    if (before.state !== 'retrying' || (reason === 'schedule' && before.nextAttemptAtMs > now.getTime())) return before;
    const made = await parts.places.within(cycle.institutionId, () => claimAndAttempt(cycle, reason, now));
    const after = await plan(cycle, now);
    return made?.result === true || after.state !== 'retrying' ? after : { ...after, nextAttemptAtMs: now.getTime() + lookAgainMs };
  };
  return {
    readDeliveryPlan: (cycle, nowMs) => plan(cycle, new Date(nowMs)),
    attemptDelivery: (cycle, reason, nowMs) => withHeartbeats(() => attempt(cycle, reason, timeOfWork(nowMs))),
  };
}
