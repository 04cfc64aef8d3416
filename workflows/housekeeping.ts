import { continueAsNew, proxyActivities, setCurrentDetails, sleep, upsertSearchAttributes } from '@temporalio/workflow';
import type { RetentionActivities } from '../activities/retention/retention';
import type { TidiedKind } from '../domain/retention/tidyUp';
import { searchAttributes } from './contract';
import { counted } from './counted';
import { isLong } from './runLength';

/** How far a housekeeping is; what it hands on when it continues as a new run. */
export interface HousekeepingProgress {
  /** The housekeeping's own time: how long ago something was over is counted from it. */
  nowMs: number;
  removed: Record<TidiedKind, number>;
  /** Kinds that are done. */
  done: TidiedKind[];
}

const kinds: readonly TidiedKind[] = ['sessions', 'signInCodes', 'provisioningBatches'];
/** Between two chunks the database has time for others. */
const betweenChunks = '1 second';

const { tidyUp } = proxyActivities<RetentionActivities>({
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '2 hours',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

/** Deletes what was over 30 days ago and nobody reads: sessions, sign-in codes and the rows of bulk calls. */
export async function housekeeping(before?: HousekeepingProgress): Promise<HousekeepingProgress['removed']> {
  const progress = before ?? { nowMs: Date.now(), removed: { sessions: 0, signInCodes: 0, provisioningBatches: 0 }, done: [] };
  for (const kind of kinds.filter((one) => !progress.done.includes(one))) {
    for (;;) {
      setCurrentDetails(sentence(progress));
      const { removed, more } = await tidyUp(kind, progress.nowMs);
      progress.removed[kind] += removed;
      if (!more) break;
      await sleep(betweenChunks);
      if (isLong()) return continueAsNew<typeof housekeeping>(progress);
    }
    progress.done.push(kind);
  }
  setCurrentDetails(sentence(progress));
  upsertSearchAttributes([{ key: searchAttributes.outcome, value: 'done' }]);
  return progress.removed;
}

function sentence({ removed, nowMs }: HousekeepingProgress): string {
  const { sessions, signInCodes, provisioningBatches } = removed;
  const all = [
    counted(sessions, 'session', 'sessions'),
    counted(signInCodes, 'sign-in code', 'sign-in codes'),
    counted(provisioningBatches, 'bulk call', 'bulk calls'),
  ];
  return `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''} deleted that were over 30 days before ${new Date(nowMs).toISOString()}.`;
}
