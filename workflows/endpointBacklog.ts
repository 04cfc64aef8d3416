import type { RetryPolicy } from '@temporalio/common';
import { allHandlersFinished, condition, continueAsNew, log, patched, proxyActivities, setCurrentDetails, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import type { BacklogActivities, BacklogPlan } from '../activities/webhooks/backlog';
import type { WorkflowArguments } from '../domain/outbox/workflows';
import { BacklogRequests, type BacklogRequest } from './backlogRequests';
import { attempt, look, nonRetryable, searchAttributes } from './contract';
import { formatCount } from './formatCount';
import { onWebhooksQueue } from './onWebhooksQueue';
import { shouldContinueAsNew } from './shouldContinueAsNew';

const retry: RetryPolicy = { initialInterval: '1 second', maximumInterval: '30 seconds', nonRetryableErrorTypes: [...Object.values(nonRetryable)] };

/** A killed worker is noticed by its heartbeats; a large backlog moves in chunks and may take its time. */
const backlogActivityOptions = { startToCloseTimeout: '5 minutes', heartbeatTimeout: '10 seconds', retry } as const;

/** Between two looks at Postgres passes at least this time, in ms, however much falls due. */
const minWaitMs = 1_000;

/**
 * Waits for all deliveries of an endpoint that are held, or are retried beyond those with a workflow of their own: probes
 * an open circuit, sends on their way what is due, gives up what has run out of time. Ends when nothing waits any more.
 * What is asked for is attempted beside it, and `asked` of the next run when this one has become long.
 */
export async function endpointBacklog(run: WorkflowArguments['endpointBacklog'], asked: readonly BacklogRequest[] = []): Promise<void> {
  const { workBacklog, attemptWaiting } = proxyActivities<BacklogActivities>({ ...onWebhooksQueue(), ...backlogActivityOptions });
  const runsRequestsConcurrently = (): boolean => patched('requests-beside');
  const requests = new BacklogRequests(({ deliveryId, attempts }) => attemptWaiting(run, deliveryId, Date.now(), attempts), asked, runsRequestsConcurrently);
  const received = { look: false };
  setHandler(look, () => {
    received.look = true;
  });
  setHandler(attempt, (request) => {
    if (!requests.add(request)) log.warn('too much is asked for: it waits for its schedule', { delivery_id: request.deliveryId });
  });
  const refreshPlan = async (): Promise<BacklogPlan> => {
    received.look = false;
    const plan = await workBacklog(run, Date.now());
    setCurrentDetails(describePlan(run.endpointId, plan));
    return plan;
  };
  // Runs that began in version 0.5.0 attempt what is asked for before they look: as far as they came there.
  while (!runsRequestsConcurrently()) {
    while (!runsRequestsConcurrently() && (await requests.attemptNext()));
    if (runsRequestsConcurrently()) break;
    const plan = await refreshPlan();
    if (plan.waitsFor === 'nothing' && requests.isEmpty) {
      setOutcomeDrained();
      return;
    }
    if (shouldContinueAsNew() && requests.isEmpty && allHandlersFinished()) await continueAsNew<typeof endpointBacklog>(run);
    await condition(() => received.look || !requests.isEmpty, waitMs(plan), { summary: waitReasons[plan.waitsFor] });
  }
  requests.start();
  for (;;) {
    requests.requireNoFailure();
    const plan = await refreshPlan();
    const isOver = (): boolean => plan.waitsFor === 'nothing' && requests.isEmpty;
    if (isOver()) break;
    if (shouldContinueAsNew()) requests.stop();
    const mayContinue = (): boolean => shouldContinueAsNew() && requests.isIdle;
    if (mayContinue() && allHandlersFinished()) await continueAsNew<typeof endpointBacklog>(run, requests.remaining);
    await condition(() => received.look || mayContinue() || isOver(), waitMs(plan), { summary: waitReasons[plan.waitsFor] });
  }
  setOutcomeDrained();
}

const waitMs = ({ lookAtMs }: BacklogPlan): number => Math.max(minWaitMs, lookAtMs - Date.now());

function setOutcomeDrained(): void {
  upsertSearchAttributes([{ key: searchAttributes.outcome, value: 'drained' }]);
}

const waitReasons: Record<BacklogPlan['waitsFor'], string> = {
  probe: 'the next probe',
  retry: 'the next that is due',
  resume: 'the resume',
  nothing: 'nothing',
};

function describePlan(endpointId: string, { waitsFor, held, retrying, lookAtMs, circuitOpenSinceMs, lastAnswer }: BacklogPlan): string {
  const time = (ms: number): string => new Date(ms).toISOString();
  const answered = lastAnswer === null ? '' : ` The last attempt came to: ${lastAnswer}.`;
  const waiting = `**${formatCount(held + retrying, 'delivery', 'deliveries')}** to \`${endpointId}\``;
  switch (waitsFor) {
    case 'probe':
      return `${waiting} held: nothing but failures since ${time(circuitOpenSinceMs ?? lookAtMs)}. The oldest is tried again at ${time(lookAtMs)}.${answered}`;
    case 'resume':
      return `${waiting} held: the endpoint is paused or its institution suspended. Their 12 hours stand still.`;
    case 'retry':
      return `${waiting} failed and will be tried again; the next at ${time(lookAtMs)}.${answered}`;
    case 'nothing':
      return `Nothing waits for \`${endpointId}\` any more.`;
  }
}
