import type { RetryPolicy } from '@temporalio/common';
import { condition, proxyActivities, setCurrentDetails, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import type { RetryActivities } from '../activities/webhooks/retryDelivery';
import type { WorkflowArguments } from '../domain/owed/workflows';
import type { DeliveryPlan } from '../domain/webhooks/deliveryPlan';
import { cancel, nonRetryable, retryNow, searchAttributes } from './contract';

/** Only workflows of version 0.1.0 wait for a delivery that is held; since then the endpoint's backlog does. */
const heldLook = '1 hour';

const retry: RetryPolicy = { initialInterval: '1 second', maximumInterval: '30 seconds', nonRetryableErrorTypes: [...Object.values(nonRetryable)] };
// What a killed worker held is given to another one after this time: soon where it only reads.
const { readDeliveryPlan } = proxyActivities<RetryActivities>({ startToCloseTimeout: '5 seconds', retry });
const { attemptDelivery } = proxyActivities<RetryActivities>({ startToCloseTimeout: '30 seconds', heartbeatTimeout: '10 seconds', retry });

/** What became of the delivery, as the workflow's result shows it. */
export interface DeliveryResult {
  outcome: string;
  attempts: number;
}

/**
 * Retries one delivery along the schedule until it is delivered, dead or cancelled. Times come from Postgres;
 * a signal only makes it look there earlier.
 */
export async function webhookDelivery(argument: WorkflowArguments['webhookDelivery']): Promise<DeliveryResult> {
  const { deliveryId, institutionId, cycle } = argument;
  const delivery = { deliveryId, institutionId, cycle };
  const heard = { asked: false, look: false };
  setHandler(retryNow, () => {
    heard.asked = true;
  });
  setHandler(cancel, () => {
    heard.look = true;
  });

  let plan = await readDeliveryPlan(delivery, Date.now());
  while (plan.state !== 'ended') {
    setCurrentDetails(sentence(argument, plan));
    const wait = plan.state === 'held' ? heldLook : Math.max(1, plan.nextAttemptAtMs - Date.now());
    await condition(() => heard.asked || heard.look, wait, { summary: plan.state === 'held' ? 'held' : `attempt ${plan.attempts + 1}` });
    const { asked, look } = heard;
    Object.assign(heard, { asked: false, look: false });
    const reason = asked ? 'request' : 'schedule';
    plan = look && !asked ? await readDeliveryPlan(delivery, Date.now()) : await attemptDelivery(delivery, reason, Date.now());
  }
  setCurrentDetails(sentence(argument, plan));
  upsertSearchAttributes([{ key: searchAttributes.outcome, value: plan.outcome }]);
  return { outcome: plan.outcome, attempts: plan.attempts };
}

function sentence({ eventType, endpointId }: WorkflowArguments['webhookDelivery'], plan: DeliveryPlan): string {
  const what = `**${eventType}** to \`${endpointId}\``;
  const answered = plan.lastResponseCode === null ? 'the last got no answer' : `the last was answered ${plan.lastResponseCode}`;
  const time = (ms: number): string => new Date(ms).toISOString();
  switch (plan.state) {
    case 'held':
      return `${what} is held: the endpoint is paused or the institution suspended.`;
    case 'ended':
      if (plan.outcome === 'handed over') return `${what} waits with the other deliveries of its endpoint: see the newest workflow \`${endpointId}:…\`.`;
      return `${what}: ${plan.outcome} after ${plan.attempts} attempts.`;
    case 'retrying':
      return `${what} waits for attempt ${plan.attempts + 1} at ${time(plan.nextAttemptAtMs)}; ${plan.attempts} made, ${answered}; given up at ${time(plan.deadlineAtMs)}.`;
  }
}
