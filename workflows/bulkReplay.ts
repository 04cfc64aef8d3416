import { continueAsNew, proxyActivities, setCurrentDetails, setHandler, sleep } from '@temporalio/workflow';
import type { ReplayActivities, ReplayState } from '../activities/webhooks/replayDead';
import type { WorkflowArguments } from '../domain/outbox/workflows';
import { workflowProgress } from './contract';
import { setOutcome } from './setOutcome';
import { shouldContinueAsNew } from './shouldContinueAsNew';

type BulkReplay = WorkflowArguments['bulkReplay'];

/** The outcome of a bulk replay, shown as the workflow's result. */
export interface BulkReplayResult {
  outcome: Exclude<ReplayState['state'], 'more'>;
  replayed: number;
  /** The dead deliveries that matched at the start; more if some died during the replay. */
  total: number;
}

/** Pause between two chunks, to limit the load on the database. */
const chunkPause = '1 second';

const { replayDead } = proxyActivities<ReplayActivities>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

/**
 * Replays the dead deliveries of an endpoint, oldest first, chunk by chunk, until none is left or the endpoint no longer
 * accepts deliveries. `before` is the progress of the previous run.
 */
export async function bulkReplay(replay: BulkReplay, before?: ReplayState): Promise<BulkReplayResult> {
  let progress: ReplayState = before ?? { state: 'more', replayed: 0, place: { createdAtMs: replay.sinceMs, id: '' } };
  setHandler(workflowProgress, () => ({ done: progress.replayed, total: totalOf(replay, progress) }));
  for (;;) {
    setCurrentDetails(describeProgress(replay, progress));
    const { state, replayed } = progress;
    if (state !== 'more') {
      setOutcome(state);
      return { outcome: state, replayed, total: totalOf(replay, progress) };
    }
    if (shouldContinueAsNew()) return continueAsNew<typeof bulkReplay>(replay, progress);
    if (progress.replayed > 0) await sleep(chunkPause);
    progress = await replayDead(replay, progress.place, Date.now());
  }
}

/** Returns the number that matched at the start; more if some died during the replay. */
const totalOf = ({ matched }: BulkReplay, { replayed }: ReplayState): number => Math.max(matched, replayed);

const stateTexts: Record<ReplayState['state'], string> = {
  more: 'in progress',
  done: 'done',
  endpoint_inactive: 'stopped: the endpoint was paused, disabled or deleted; the remaining deliveries stay dead',
};

function describeProgress(replay: BulkReplay, reached: ReplayState): string {
  const { state, replayed } = reached;
  return `**${replayed} of ${totalOf(replay, reached)}** dead deliveries to \`${replay.endpointId}\` replayed; ${stateTexts[state]}.`;
}
