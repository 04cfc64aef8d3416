import { continueAsNew, proxyActivities, setCurrentDetails, setHandler, sleep, upsertSearchAttributes } from '@temporalio/workflow';
import type { ReplayActivities, ReplayReached } from '../activities/webhooks/replayDead';
import type { WorkflowArguments } from '../domain/outbox/workflows';
import { searchAttributes, workflowProgress } from './contract';
import { isLong } from './shouldContinueAsNew';

type BulkReplay = WorkflowArguments['bulkReplay'];

/** What a bulk replay came to, as the workflow's result shows it. */
export interface BulkReplayResult {
  outcome: Exclude<ReplayReached['state'], 'more'>;
  replayed: number;
  /** Those that matched at the start; more where some died while it ran. */
  total: number;
}

/** Between two chunks the database has time for others. */
const betweenChunks = '1 second';

const { replayDead } = proxyActivities<ReplayActivities>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

/**
 * Replays the dead deliveries of an endpoint, oldest first, chunk by chunk, until none is left or the endpoint takes none
 * any more. `before` is where the run before this one stopped.
 */
export async function bulkReplay(replay: BulkReplay, before?: ReplayReached): Promise<BulkReplayResult> {
  let reached: ReplayReached = before ?? { state: 'more', replayed: 0, place: { createdAtMs: replay.sinceMs, id: '' } };
  setHandler(workflowProgress, () => ({ done: reached.replayed, total: totalOf(replay, reached) }));
  for (;;) {
    setCurrentDetails(sentence(replay, reached));
    const { state, replayed } = reached;
    if (state !== 'more') {
      upsertSearchAttributes([{ key: searchAttributes.outcome, value: state }]);
      return { outcome: state, replayed, total: totalOf(replay, reached) };
    }
    if (isLong()) return continueAsNew<typeof bulkReplay>(replay, reached);
    if (reached.replayed > 0) await sleep(betweenChunks);
    reached = await replayDead(replay, reached.place, Date.now());
  }
}

/** Those that matched at the start; more where some died while it ran. */
const totalOf = ({ matched }: BulkReplay, { replayed }: ReplayReached): number => Math.max(matched, replayed);

const endings: Record<ReplayReached['state'], string> = {
  more: 'under way',
  done: 'done',
  endpoint_inactive: 'stopped: the endpoint was paused, disabled or deleted; the rest stays dead',
};

function sentence(replay: BulkReplay, reached: ReplayReached): string {
  const { state, replayed } = reached;
  return `**${replayed} of ${totalOf(replay, reached)}** dead deliveries to \`${replay.endpointId}\` replayed; ${endings[state]}.`;
}
