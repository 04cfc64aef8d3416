import { ApplicationFailure } from '@temporalio/common';
import { claimRetry, noteEndpointHealth, recordAttempts } from '../../db/repositories/sending';
import type { Domain } from '../../domain/context';
import { judgeAttempt, type AttemptReason } from '../../domain/webhooks/attempts';
import { readPlan, type DeliveryCycle, type DeliveryPlan } from '../../domain/webhooks/deliveryPlan';
import type { WebhookClient } from '../../outbound/webhooks/webhookClient';
import { nonRetryable } from '../../workflows/contract';
import type { WorkerMetrics } from '../metrics';
import { healthOf } from '../sender/recorder';
import { postDelivery } from './postDelivery';

/** What the retry workflow calls. `nowMs` is the workflow's time, so that skipped time tests the real rules. */
export interface RetryActivities {
  /** Reads the truth of a delivery; non-retryable `UnknownDelivery` when there is none. */
  readDeliveryPlan(cycle: DeliveryCycle, nowMs: number): Promise<DeliveryPlan>;
  /** Attempts a delivery that is due (or asked for), records it and answers what follows. */
  attemptDelivery(cycle: DeliveryCycle, reason: AttemptReason, nowMs: number): Promise<DeliveryPlan>;
}

/** How long an attempt waits when another process holds the delivery, in ms. */
const inOtherHandsMs = 5_000;

/**
 * When an attempt is made, which its signature and its claim go by: not before the machine's time, because a workflow
 * may have asked for it long ago, of a worker that was killed; and not before the workflow's, which may be skipped time.
 */
const timeOfAttempt = (nowMs: number): Date => new Date(Math.max(nowMs, Date.now()));

/** The retry activities over one domain and one client. */
export function createRetryActivities(
  { database, secrets }: Domain,
  client: WebhookClient,
  metrics: Pick<WorkerMetrics, 'observeAttempts'>,
): RetryActivities {
  const plan = async (cycle: DeliveryCycle, now: Date): Promise<DeliveryPlan> => {
    const found = await readPlan(database.sql, cycle, now);
    if (found === undefined) throw ApplicationFailure.nonRetryable('No such delivery', nonRetryable.unknownDelivery);
    return found;
  };
  return {
    readDeliveryPlan: (cycle, nowMs) => plan(cycle, new Date(nowMs)),
    attemptDelivery: async (cycle, reason, nowMs) => {
      const now = timeOfAttempt(nowMs);
      const before = await plan(cycle, now);
      if (before.state !== 'retrying' || (reason === 'schedule' && before.nextAttemptAtMs > now.getTime())) return before;
      // The same owner on every try of this activity: a try after a crash takes its own claim over.
      const claimedBy = `${cycle.deliveryId}:${cycle.cycle}`;
      const delivery = await claimRetry(database.sql, cycle.institutionId, cycle.deliveryId, claimedBy, now);
      if (delivery === undefined) return { ...before, nextAttemptAtMs: now.getTime() + inOtherHandsMs };
      const outcome = await postDelivery(client, secrets, delivery, now);
      const attempt = judgeAttempt(delivery, reason, now, outcome, Math.random());
      await recordAttempts(database.sql, [attempt], claimedBy);
      metrics.observeAttempts([attempt]);
      await noteEndpointHealth(database.sql, healthOf([attempt]));
      return plan(cycle, now);
    },
  };
}
