import type { RetryPolicy } from '@temporalio/common';
import { allHandlersFinished, condition, continueAsNew, log, patched, proxyActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { BacklogActivities, BacklogPlan } from '../activities/webhooks/backlog';
import type { WorkflowArguments } from '../domain/outbox/workflows';
import { BacklogRequests, type BacklogRequest } from './backlogRequests';
import { attempt, look, nonRetryable } from './contract';
import { formatCount } from './formatCount';
import { institutionNowMs } from './institutionNow';
import { setOutcome } from './setOutcome';
import { onWebhooksQueue } from './taskQueues';
import { shouldContinueAsNew } from './shouldContinueAsNew';

const retry: RetryPolicy = { initialInterval: '1 second', maximumInterval: '30 seconds', nonRetryableErrorTypes: [...Object.values(nonRetryable)] };

/** Heartbeats detect a killed worker; a large backlog moves in chunks and may take long. */
const backlogActivityOptions = { startToCloseTimeout: '5 minutes', heartbeatTimeout: '10 seconds', retry } as const;

/** Minimum time between two reads of Postgres, in ms, regardless of how much is due. */
const minWaitMs = 1_000;

/** The outcome of a backlog, shown as the workflow's result: nothing waits any more, or the endpoint was disabled or deleted. */
export interface BacklogResult {
  outcome: 'drained' | 'disabled' | 'deleted';
  /** The deliveries that were given up because the endpoint was disabled; otherwise those that were given up while they waited. */
  givenUp: number;
}

/**
 * Waits for all deliveries of an endpoint that are held, or are retried without a workflow of their own: probes an open
 * circuit, releases what is due, ends what has passed its deadline. Ends when nothing is waiting. Requested attempts
 * run concurrently; a long run passes them to the next as `pending`.
 */
export async function endpointBacklog(run: WorkflowArguments['endpointBacklog'], pending: readonly BacklogRequest[] = []): Promise<BacklogResult> {
  const { workBacklog, attemptWaiting } = proxyActivities<BacklogActivities>({ ...onWebhooksQueue(), ...backlogActivityOptions });
  const runsRequestsConcurrently = (): boolean => patched('requests-beside');
  const requests = new BacklogRequests(({ deliveryId, attempts }) => attemptWaiting(run, deliveryId, Date.now(), attempts), pending, runsRequestsConcurrently);
  const received = { look: false };
  setHandler(look, () => {
    received.look = true;
  });
  setHandler(attempt, (request) => {
    if (!requests.add(request)) log.warn('too many requested attempts; the delivery waits for its schedule', { delivery_id: request.deliveryId });
  });
  const refreshPlan = async (): Promise<BacklogPlan> => {
    received.look = false;
    const plan = await workBacklog(run, Date.now());
    setCurrentDetails(describePlan(run.endpointId, plan));
    return plan;
  };
  // Runs started by version 0.5.0 attempt requested deliveries before they read the plan, up to the point they had reached.
  while (!runsRequestsConcurrently()) {
    while (!runsRequestsConcurrently() && (await requests.attemptNext()));
    if (runsRequestsConcurrently()) break;
    const plan = await refreshPlan();
    if (plan.waitsFor === 'nothing' && requests.isEmpty) return endWith(plan);
    if (shouldContinueAsNew() && requests.isEmpty && allHandlersFinished()) await continueAsNew<typeof endpointBacklog>(run);
    await condition(() => received.look || !requests.isEmpty, waitMs(plan), { summary: waitReasons[plan.waitsFor] });
  }
  requests.start();
  for (;;) {
    requests.requireNoFailure();
    const plan = await refreshPlan();
    const isOver = (): boolean => plan.waitsFor === 'nothing' && requests.isEmpty;
    if (isOver()) return endWith(plan);
    if (shouldContinueAsNew()) requests.stop();
    const mayContinue = (): boolean => shouldContinueAsNew() && requests.isIdle;
    if (mayContinue() && allHandlersFinished()) await continueAsNew<typeof endpointBacklog>(run, requests.remaining);
    await condition(() => received.look || mayContinue() || isOver(), waitMs(plan), { summary: waitReasons[plan.waitsFor] });
  }
}

const waitMs = (plan: BacklogPlan): number => Math.max(minWaitMs, plan.lookAtMs - institutionNowMs(plan));

function endWith({ endpointEnd, givenUp = 0 }: BacklogPlan): BacklogResult {
  const outcome = endpointEnd?.because ?? 'drained';
  setOutcome(outcome);
  return { outcome, givenUp: endpointEnd?.givenUp ?? givenUp };
}

const waitReasons: Record<BacklogPlan['waitsFor'], string> = {
  probe: 'the next probe',
  retry: 'the next retry',
  resume: 'the endpoint to be resumed',
  nothing: 'nothing',
};

/** Says why nothing waits any more if it was not sent. */
function endText({ endpointEnd: end, givenUp = 0 }: BacklogPlan): string {
  if (end === undefined) return givenUp === 0 ? '' : `; **${formatCount(givenUp, 'delivery was', 'deliveries were')} given up** meanwhile`;
  if (end.because === 'deleted') return ': the endpoint was deleted, and its open deliveries were cancelled';
  return `: the endpoint was disabled, and **${formatCount(end.givenUp, 'delivery was', 'deliveries were')} given up**`;
}

function describePlan(endpointId: string, plan: BacklogPlan): string {
  const { waitsFor, held, retrying, lookAtMs, circuitOpenSinceMs, lastAnswer } = plan;
  const time = (ms: number): string => new Date(ms).toISOString();
  const lastAttempt = lastAnswer === null ? '' : ` The last attempt ended with: ${lastAnswer}.`;
  const waiting = `**${formatCount(held + retrying, 'delivery', 'deliveries')}** to \`${endpointId}\``;
  switch (waitsFor) {
    case 'probe':
      return `${waiting} held: the circuit is open since ${time(circuitOpenSinceMs ?? lookAtMs)}. The oldest is tried again at ${time(lookAtMs)}.${lastAttempt}`;
    case 'resume':
      // Nothing is read again until it is resumed: a number would be of its beginning.
      return `Every delivery to \`${endpointId}\` is held: the endpoint is paused or its institution suspended. Their 12 hours are paused.`;
    case 'retry':
      return `${waiting} failed and will be tried again; the next at ${time(lookAtMs)}.${lastAttempt}`;
    case 'nothing':
      return `Nothing is waiting for \`${endpointId}\`${endText(plan)}.`;
  }
}
