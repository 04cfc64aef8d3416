import { continueAsNew, proxyActivities, setCurrentDetails, setHandler, sleep } from '@temporalio/workflow';
import type { RecoveryActivities, RecoveryState } from '../activities/webhooks/recoverEndpoint';
import type { WorkflowArguments } from '../domain/outbox/workflows';
import { workflowProgress } from './contract';
import { setOutcome } from './setOutcome';
import { shouldContinueAsNew } from './shouldContinueAsNew';

type EndpointRecovery = WorkflowArguments['endpointRecovery'];

/** The outcome of a recovery, shown as the workflow's result. */
export interface EndpointRecoveryResult {
  outcome: Exclude<RecoveryState['state'], 'more'>;
  recovered: number;
  /** The events that were counted at the start; more if the recovery found more. */
  total: number;
}

/** Pause after a chunk that wrote deliveries, to limit the load on the database. */
const chunkPause = '1 second';

const { recoverNextDeliveries } = proxyActivities<RecoveryActivities>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

/**
 * Writes the deliveries that an endpoint missed, oldest event first, chunk by chunk, until the end of the range or until the
 * endpoint no longer accepts deliveries. `before` is the progress of the previous run.
 */
export async function endpointRecovery(recovery: EndpointRecovery, before?: RecoveryState): Promise<EndpointRecoveryResult> {
  let progress: RecoveryState = before ?? { state: 'more', recovered: 0, reachedMs: recovery.sinceMs };
  let written = 0;
  setHandler(workflowProgress, () => ({ done: progress.recovered, total: totalOf(recovery, progress) }));
  for (;;) {
    setCurrentDetails(describeProgress(recovery, progress));
    const { state, recovered } = progress;
    if (state !== 'more') {
      setOutcome(state);
      return { outcome: state, recovered, total: totalOf(recovery, progress) };
    }
    if (shouldContinueAsNew()) return continueAsNew<typeof endpointRecovery>(recovery, progress);
    if (written > 0) await sleep(chunkPause);
    progress = await recoverNextDeliveries(recovery, progress, Date.now());
    written = progress.recovered - recovered;
  }
}

/** Returns the number that was counted at the start; more if the recovery found more. */
const totalOf = ({ matched }: EndpointRecovery, { recovered }: RecoveryState): number => Math.max(matched, recovered);

const stateTexts: Record<RecoveryState['state'], string> = {
  more: 'in progress',
  done: 'done',
  endpoint_inactive: 'stopped: the endpoint was paused, disabled or deleted; the remaining events get no delivery',
};

function describeProgress(recovery: EndpointRecovery, reached: RecoveryState): string {
  const { state, recovered } = reached;
  return `**${recovered} of ${totalOf(recovery, reached)}** events that \`${recovery.endpointId}\` missed got a delivery; ${stateTexts[state]}.`;
}
