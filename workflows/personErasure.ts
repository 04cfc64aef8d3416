import { continueAsNew, proxyActivities, setCurrentDetails, setHandler, sleep } from '@temporalio/workflow';
import type { ErasureActivities } from '../activities/erasure/erasePerson';
import { erasureSteps, removedAtOnce, storeNames, stores } from '../domain/erasure/stores';
import type { WorkflowArguments } from '../domain/outbox/workflows';
import { workflowProgress } from './contract';
import { formatCount } from './formatCount';
import { resumeProgress } from './progress';
import { setOutcome } from './setOutcome';
import { shouldContinueAsNew } from './shouldContinueAsNew';
import { onErasuresQueue } from './taskQueues';

type PersonErasure = WorkflowArguments['personErasure'];

/** The steps of an erasure, those of the call included, and how many values the workflow removed; shown as its result. */
export interface ErasureResult {
  done: number;
  total: number;
  removed: number;
}

/** The progress of an erasure; passed on when it continues as a new run. */
export interface ErasureProgress {
  /** The number of stores that were gone through. */
  done: number;
  /** Where the next chunk of the store begins. */
  place: string;
  removed: number;
}

/** The steps that the call has done before the workflow begins. */
const doneBefore = removedAtOnce.length;

/** Pause before a chunk that has to wait is done again. */
const waitPause = '1 second';

// Retried until it succeeds: what is not erased must not be called erased.
const storeActivities = () =>
  proxyActivities<ErasureActivities>({
    ...onErasuresQueue(),
    startToCloseTimeout: '5 minutes',
    heartbeatTimeout: '10 seconds',
    retry: { initialInterval: '200 milliseconds', maximumInterval: '1 minute' },
  });
const { endErasure } = proxyActivities<ErasureActivities>({ startToCloseTimeout: '1 minute', retry: { initialInterval: '200 milliseconds', maximumInterval: '1 minute' } });

/** Erases what every store has of a person, chunk by chunk, and writes the certificate. `before` is the progress of the previous run. */
export async function personErasure(erasure: PersonErasure, before?: ErasureProgress): Promise<ErasureResult> {
  const progress = resumeProgress<ErasureProgress>(before, { done: 0, place: '', removed: 0 });
  setHandler(workflowProgress, () => ({ done: doneBefore + progress.done, total: erasureSteps }));
  const activities = storeActivities();
  for (const store of storeNames.slice(progress.done)) {
    const { title, activity } = stores[store];
    for (;;) {
      setCurrentDetails(`Erasing ${title}; ${doneBefore + progress.done} of ${erasureSteps} steps done, ${formatCount(progress.removed, 'value', 'values')} removed.`);
      if (shouldContinueAsNew()) return continueAsNew<typeof personErasure>(erasure, progress);
      const { next, removed } = await activities[activity](erasure, progress.place, Date.now());
      const hasToWait = next === progress.place;
      progress.removed += removed;
      progress.place = next ?? '';
      if (next === null) break;
      if (hasToWait) await sleep(waitPause);
    }
    progress.done += 1;
  }
  await endErasure(erasure, Date.now());
  setCurrentDetails(`Erased, ${erasureSteps} of ${erasureSteps} steps: ${formatCount(progress.removed, 'value', 'values')} removed since the call; the certificate is written.`);
  setOutcome('done');
  return { done: doneBefore + progress.done, total: erasureSteps, removed: progress.removed };
}
