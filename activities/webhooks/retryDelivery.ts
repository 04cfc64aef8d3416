import { ApplicationFailure } from '@temporalio/common';
import { claimWithinLimit } from '../../db/repositories/webhooks/rateLimits';
import { handOverDelivery } from '../../db/repositories/webhooks/retries';
import type { AttemptReason } from '../../domain/webhooks/classifyAttempt';
import { readDeliveryPlan, type DeliveryPlan } from '../../domain/webhooks/readDeliveryPlan';
import type { DeliveryCycle } from '../../domain/webhooks/endWithoutAttempt';
import { deliveryWindowMs } from '../../domain/webhooks/retrySchedule';
import { nonRetryable } from '../../workflows/contract';
import { withHeartbeats } from '../heartbeats';
import { createDatabaseActivityTime, readInstitutionTime } from '../activityNow';
import { attemptClaimed, type AttemptDeps } from './attemptDelivery';

/** The activities of the retry workflow. `nowMs` is the workflow's time, so that tests with skipped time use the real rules. */
export interface RetryActivities {
  /** Reads the state of a delivery; non-retryable `UnknownDelivery` for an unknown id. */
  readDeliveryPlan(cycle: DeliveryCycle, nowMs: number): Promise<DeliveryPlan>;
  /**
   * Attempts a delivery that is due or requested, records it and returns what follows. It is the attempt after `attempts`
   * others, and is not repeated once made, even if its result was lost; workflows of version 0.5.0 omit the number. Without a
   * free slot, or beyond the rate limit of its endpoint, a due delivery is transferred to the endpoint's backlog and a requested one is deferred; activities never wait.
   */
  attemptDelivery(cycle: DeliveryCycle, reason: AttemptReason, nowMs: number, attempts?: number): Promise<DeliveryPlan>;
}

/** How long an attempt waits while another process holds the delivery, or no slot is free, in ms. */
const recheckAfterMs = 5_000;

/** Returns the retry activities. */
export function createRetryActivities(parts: AttemptDeps): RetryActivities {
  const { domain, attemptConcurrency } = parts;
  const { sql } = domain.database;
  const activityTime = createDatabaseActivityTime(sql);
  const plan = async (cycle: DeliveryCycle, now: Date): Promise<DeliveryPlan> => {
    const found = await readDeliveryPlan(domain, cycle, now);
    if (found === undefined) throw ApplicationFailure.nonRetryable('No such delivery', nonRetryable.unknownDelivery);
    return found;
  };
  /** `unavailable` if the delivery cannot be claimed: another process holds it, or it was paused after it was read. */
  const claimAndAttempt = async ({ institutionId, deliveryId, cycle }: DeliveryCycle, reason: AttemptReason, now: Date, attempts: number): Promise<'made' | 'limited' | 'unavailable'> => {
    // The same owner on every try of this activity, so that a retry after a crash takes over its own claim.
    const claimedBy = `${deliveryId}:${cycle}`;
    const delivery = await claimWithinLimit(sql, { institutionId, deliveryId, claimedBy, now, statuses: ['retrying'], windowMs: deliveryWindowMs, attempts });
    if (delivery === undefined) return 'unavailable';
    if (delivery === 'limited') return 'limited';
    await attemptClaimed(parts, delivery, { claimedBy, reason, now });
    return 'made';
  };
  const handOver = async ({ institutionId, deliveryId, cycle }: DeliveryCycle, at: Date): Promise<void> => {
    if ((await handOverDelivery(sql, institutionId, deliveryId, cycle, at)) > 0) domain.onCommitted(['workflows']);
  };
  const attempt = async (cycle: DeliveryCycle, reason: AttemptReason, now: Date, seen: number | undefined): Promise<DeliveryPlan> => {
    const before = await plan(cycle, now);
    const { attempts, endpointId } = before;
    if (before.state !== 'retrying' || (seen ?? attempts) !== attempts) return before;
    if (reason === 'schedule' && before.nextAttemptAtMs > now.getTime()) return before;
    const tried = await attemptConcurrency.tryRun({ endpointId, institutionId: cycle.institutionId }, () => claimAndAttempt(cycle, reason, now, attempts));
    const againAtMs = now.getTime() + recheckAfterMs;
    const result = tried?.result ?? 'limited';
    if (result === 'limited' && reason === 'request') return { ...before, nextAttemptAtMs: againAtMs, putOff: true };
    if (result === 'limited') await handOver(cycle, new Date(againAtMs));
    const after = await plan(cycle, now);
    return result === 'made' || after.state !== 'retrying' ? after : { ...after, nextAttemptAtMs: againAtMs };
  };
  return {
    readDeliveryPlan: async (cycle, nowMs) => plan(cycle, (await readInstitutionTime(sql, cycle.institutionId, new Date(nowMs))).now),
    attemptDelivery: (cycle, reason, nowMs, attempts) => withHeartbeats(async () => attempt(cycle, reason, (await activityTime(cycle.institutionId, nowMs)).now, attempts)),
  };
}
