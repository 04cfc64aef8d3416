import type { RetryPolicy } from '@temporalio/common';
import { condition, continueAsNew, patched, proxyActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { RetryActivities } from '../activities/webhooks/retryDelivery';
import type { SignalArguments, WorkflowArguments } from '../domain/outbox/workflows';
import type { DeliveryPlan } from '../domain/webhooks/readDeliveryPlan';
import { cancel, look, nonRetryable, retryNow } from './contract';
import { institutionNowMs } from './institutionNow';
import { setOutcome } from './setOutcome';
import { onWebhooksQueue } from './taskQueues';
import { shouldContinueAsNew } from './shouldContinueAsNew';

/** Only workflows of version 0.1.0 wait for a held delivery; since then the endpoint's backlog does. */
const heldPollInterval = '1 hour';

const retry: RetryPolicy = { initialInterval: '1 second', maximumInterval: '30 seconds', nonRetryableErrorTypes: [...Object.values(nonRetryable)] };
// After this time another worker takes over from a killed one: soon, because it only reads.
const { readDeliveryPlan } = proxyActivities<RetryActivities>({ startToCloseTimeout: '5 seconds', retry });

/** The outcome of the delivery, shown as the workflow's result. */
export interface DeliveryResult {
  outcome: string;
  attempts: number;
}

/** Whether the run must continue as a new one; runs of version 0.5.0 did not, up to the point they had reached. */
const canContinueAsNew = (): boolean => shouldContinueAsNew() && patched('continues-as-new');

/** Whether requests are deduplicated; runs of version 0.5.0 attempted every request immediately, up to the point they had reached. */
const deduplicatesRequests = (): boolean => patched('requests-once');

/** A requested attempt, with the number of attempts it is based on. */
type Request = SignalArguments['retryNow'];

/**
 * Retries one delivery by the schedule until it is delivered, dead or cancelled. Times come from Postgres; a signal only
 * triggers an earlier read. A run that has become long continues as a new one, with the pending request `pending`.
 */
export async function webhookDelivery(argument: WorkflowArguments['webhookDelivery'], pending?: Request): Promise<DeliveryResult> {
  const { attemptDelivery } = proxyActivities<RetryActivities>({ ...onWebhooksQueue(), startToCloseTimeout: '30 seconds', heartbeatTimeout: '10 seconds', retry });
  const { deliveryId, institutionId, cycle } = argument;
  const delivery = { deliveryId, institutionId, cycle };
  const received: { request: Request | undefined; look: boolean } = { request: pending, look: false };
  let made = 0;
  // A request of version 0.5.0 does not state the attempt it is for.
  const isMade = (request: Request | undefined): boolean => (request?.attempts ?? made) < made && deduplicatesRequests();
  setHandler(retryNow, (request) => {
    if (!isMade(request)) received.request = request;
  });
  for (const readAgain of [cancel, look]) {
    setHandler(readAgain, () => {
      received.look = true;
    });
  }

  let plan = await readDeliveryPlan(delivery, Date.now());
  let isPostponed = false;
  while (plan.state !== 'ended') {
    setCurrentDetails(describePlan(argument, plan));
    if (canContinueAsNew()) return continueAsNew<typeof webhookDelivery>(argument, received.request);
    const wait = plan.state === 'held' ? heldPollInterval : Math.max(1, plan.nextAttemptAtMs - institutionNowMs(plan));
    const { attempts } = plan;
    const mayAttempt = !isPostponed;
    const isRequested = (): boolean => received.request !== undefined && mayAttempt;
    await condition(() => isRequested() || received.look || canContinueAsNew(), wait, { summary: plan.state === 'held' ? 'held' : `attempt ${attempts + 1}` });
    if (canContinueAsNew()) continue;
    const { request, look } = received;
    Object.assign(received, { request: undefined, look: false });
    if (look && request === undefined) {
      plan = await readDeliveryPlan(delivery, Date.now());
    } else {
      plan = await attemptDelivery(delivery, request === undefined ? 'schedule' : 'request', Date.now(), request?.attempts ?? attempts);
    }
    isPostponed = plan.putOff === true && deduplicatesRequests();
    if (isPostponed) received.request ??= request;
    made = plan.attempts;
    if (isMade(received.request)) received.request = undefined;
  }
  setCurrentDetails(describePlan(argument, plan));
  setOutcome(plan.outcome);
  return { outcome: plan.outcome, attempts: plan.attempts };
}

function describePlan({ eventType, endpointId }: WorkflowArguments['webhookDelivery'], plan: DeliveryPlan): string {
  const what = `**${eventType}** to \`${endpointId}\``;
  const lastAttempt = plan.lastResponseCode === null ? 'the last got no response' : `the last got response ${plan.lastResponseCode}`;
  const time = (ms: number): string => new Date(ms).toISOString();
  switch (plan.state) {
    case 'held':
      return `${what} is held: the endpoint is paused or the institution suspended.`;
    case 'ended':
      if (plan.outcome === 'handed over') return `${what} waits with the other deliveries of its endpoint: see the newest workflow \`${endpointId}:…\`.`;
      return `${what}: ${plan.outcome} after ${plan.attempts} attempts.`;
    case 'retrying':
      return `${what} waits for attempt ${plan.attempts + 1} at ${time(plan.nextAttemptAtMs)}, or is held then if its endpoint or institution takes none; ${plan.attempts} made, ${lastAttempt}; its deadline is ${time(plan.deadlineAtMs)}.`;
  }
}
