import type { RetryPolicy } from '@temporalio/common';
import { allHandlersFinished, condition, continueAsNew, proxyActivities, setCurrentDetails, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import type { BacklogActivities, BacklogPlan } from '../activities/webhooks/backlog';
import type { WorkflowArguments } from '../domain/owed/workflows';
import { attempt, look, nonRetryable, searchAttributes } from './contract';
import { counted } from './counted';
import { isLong } from './runLength';

const retry: RetryPolicy = { initialInterval: '1 second', maximumInterval: '30 seconds', nonRetryableErrorTypes: [...Object.values(nonRetryable)] };
// A killed worker is noticed by its heartbeats; a large backlog moves in chunks and may take its time.
const { workBacklog, attemptWaiting } = proxyActivities<BacklogActivities>({ startToCloseTimeout: '5 minutes', heartbeatTimeout: '10 seconds', retry });

/** Between two looks at Postgres passes at least this time, in ms, however much falls due. */
const shortestWaitMs = 1_000;

/**
 * Waits for all deliveries of an endpoint that are held, or are retried beyond those with a workflow of their own: probes
 * an open circuit, sends on their way what is due, gives up what has run out of time. Ends when nothing waits any more.
 */
export async function endpointBacklog(run: WorkflowArguments['endpointBacklog']): Promise<void> {
  const asked: string[] = [];
  const heard = { look: false };
  setHandler(look, () => {
    heard.look = true;
  });
  setHandler(attempt, ({ deliveryId }) => {
    if (!asked.includes(deliveryId)) asked.push(deliveryId);
  });
  for (;;) {
    for (let deliveryId = asked.shift(); deliveryId !== undefined; deliveryId = asked.shift()) {
      await attemptWaiting(run, deliveryId, Date.now());
    }
    heard.look = false;
    const plan = await workBacklog(run, Date.now());
    setCurrentDetails(sentence(run.endpointId, plan));
    if (plan.waitsFor === 'nothing' && asked.length === 0) break;
    if (isLong() && asked.length === 0 && allHandlersFinished()) await continueAsNew<typeof endpointBacklog>(run);
    const wait = Math.max(shortestWaitMs, plan.lookAtMs - Date.now());
    await condition(() => heard.look || asked.length > 0, wait, { summary: waits[plan.waitsFor] });
  }
  upsertSearchAttributes([{ key: searchAttributes.outcome, value: 'drained' }]);
}

const waits: Record<BacklogPlan['waitsFor'], string> = {
  probe: 'the next probe',
  retry: 'the next that is due',
  resume: 'the resume',
  nothing: 'nothing',
};

function sentence(endpointId: string, { waitsFor, held, retrying, lookAtMs, circuitOpenSinceMs, lastAnswer }: BacklogPlan): string {
  const time = (ms: number): string => new Date(ms).toISOString();
  const answered = lastAnswer === null ? '' : ` The last attempt came to: ${lastAnswer}.`;
  const waiting = `**${counted(held + retrying, 'delivery', 'deliveries')}** to \`${endpointId}\``;
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
