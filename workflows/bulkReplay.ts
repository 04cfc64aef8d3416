import { continueAsNew, proxyActivities, setCurrentDetails, setHandler, sleep, upsertSearchAttributes } from '@temporalio/workflow';
import type { ReplayActivities, ReplayState } from '../activities/webhooks/replayDead';
import type { WorkflowArguments } from '../domain/outbox/workflows';
import { searchAttributes, workflowProgress } from './contract';
import { shouldContinueAsNew } from './shouldContinueAsNew';

type BulkReplay = WorkflowArguments['bulkReplay'];

/** What a bulk replay came to, as the workflow's result shows it. */
export interface BulkReplayResult {
  outcome: Exclude<ReplayState['state'], 'more'>;
  replayed: number;
  /** Those that matched at the start; more where some died while it ran. */
  total: number;
}

/** Between two chunks the database has time for others. */
const chunkPause = '1 second';

const { replayDead } = proxyActivities<ReplayActivities>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

/**
 * Replays the dead deliveries of an endpoint, oldest first, chunk by chunk, until none is left or the endpoint takes none
 * any more. `before` is where the run before this one stopped.
 */
export async function bulkReplay(replay: BulkReplay, before?: ReplayState): Promise<BulkReplayResult> {
  let progress: ReplayState = before ?? { state: 'more', replayed: 0, place: { createdAtMs: replay.sinceMs, id: '' } };
  setHandler(workflowProgress, () => ({ done: progress.replayed, total: totalOf(replay, progress) }));
  for (;;) {
    setCurrentDetails(describeProgress(replay, progress));
    const { state, replayed } = progress;
    if (state !== 'more') {
      upsertSearchAttributes([{ key: searchAttributes.outcome, value: state }]);
      return { outcome: state, replayed, total: totalOf(replay, progress) };
    }
    if (shouldContinueAsNew()) return continueAsNew<typeof bulkReplay>(replay, progress);
    if (progress.replayed > 0) await sleep(chunkPause);
    progress = await replayDead(replay, progress.place, Date.now());
  }
}

/** Those that matched at the start; more where some died while it ran. */
const totalOf = ({ matched }: BulkReplay, { replayed }: ReplayState): number => Math.max(matched, replayed);

const stateTexts: Record<ReplayState['state'], string> = {
  more: 'under way',
  done: 'done',
  endpoint_inactive: 'stopped: the endpoint was paused, disabled or deleted; the rest stays dead',
};

function describeProgress(replay: BulkReplay, reached: ReplayState): string {
  const { state, replayed } = reached;
  return `**${replayed} of ${totalOf(replay, reached)}** dead deliveries to \`${replay.endpointId}\` replayed; ${stateTexts[state]}.`;
}
