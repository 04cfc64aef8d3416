import { ActivityFailure, ApplicationFailure, continueAsNew, patched, proxyActivities, setCurrentDetails, sleep, upsertSearchAttributes } from '@temporalio/workflow';
import type { RetentionActivities } from '../activities/retention/retention';
import type { PrunedKind } from '../domain/retention/pruneExpired';
import { nonRetryable, searchAttributes } from './contract';
import { formatCount } from './formatCount';
import { resumeProgress } from './progress';
import { shouldContinueAsNew } from './shouldContinueAsNew';

/** How many of each kind were deleted; one that was not looked at is absent. */
export type Removed = Partial<Record<PrunedKind, number>>;

/** How far a housekeeping is; what it hands on when it continues as a new run. */
export interface HousekeepingProgress {
  /** The housekeeping's own time: how long ago something was over is counted from it. */
  nowMs: number;
  removed: Removed;
  /** Kinds that are done. */
  done: PrunedKind[];
  /** Kinds given up for this time; absent up to 0.5.0, where one that failed ended the run. */
  failed?: PrunedKind[];
}

const firstKinds: readonly PrunedKind[] = ['sessions', 'signInCodes', 'provisioningBatches'];
/** Files come last: while their store is away, the others are done. */
const kindsOf030: readonly PrunedKind[] = [...firstKinds, 'examNotices', 'files'];
const kindsOf040: readonly PrunedKind[] = [...firstKinds, 'examNotices', 'weeklyReportLetters', 'weeklyReports', 'auditLog', 'seats', 'files'];
const allKinds: readonly PrunedKind[] = [...kindsOf040.slice(0, -1), 'alphaProgress', 'files'];

const kindNames: Record<PrunedKind, [one: string, many: string]> = {
  sessions: ['session', 'sessions'],
  signInCodes: ['sign-in code', 'sign-in codes'],
  provisioningBatches: ['bulk call', 'bulk calls'],
  examNotices: ['notice of an exam', 'notices of exams'],
  weeklyReportLetters: ['week of report letters', 'weeks of report letters'],
  weeklyReports: ['week of reports', 'weeks of reports'],
  auditLog: ['call of the audit log', 'calls of the audit log'],
  seats: ['seat', 'seats'],
  alphaProgress: ['telling of progress', 'tellings of progress'],
  files: ['file', 'files'],
};

/** Between two chunks the database has time for others. */
const chunkPause = '1 second';

// A kind that fails for so long is left for the next time; its failures are logged and counted by the worker.
const { tidyUp } = proxyActivities<RetentionActivities>({
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '15 minutes',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

/**
 * Deletes what was over long ago and nobody reads: sessions, sign-in codes, the rows of bulk calls, notices of exams,
 * weekly reports and their letters, calls of the audit log, seats that have ended, what apps told of progress; and files
 * that are removed, or that an upload a day ago left unfinished. It goes on with the other kinds when one cannot be deleted, and
 * then ends as failed, and says which.
 */
export async function housekeeping(before?: HousekeepingProgress): Promise<Removed> {
  const progress = resumeProgress<HousekeepingProgress>(before, { nowMs: Date.now(), removed: {}, done: [] });
  const kinds = kindsToPrune();
  const failed = new Set(progress.failed);
  for (const kind of kinds.filter((one) => !progress.done.includes(one) && !failed.has(one))) {
    if ((await pruneKind(kind, progress)) === 'unfinished') return continueAsNew<typeof housekeeping>(progress);
  }
  setCurrentDetails(describeProgress(progress));
  const incomplete = (progress.failed ?? []).length > 0;
  upsertSearchAttributes([{ key: searchAttributes.outcome, value: incomplete ? 'incomplete' : 'done' }]);
  if (incomplete) throw ApplicationFailure.nonRetryable(describeProgress(progress), nonRetryable.sweepIncomplete);
  return progress.removed;
}

/** Deletes what is over of one kind; one that fails keeps none of the others from their turn. `unfinished` when the run has become long. */
async function pruneKind(kind: PrunedKind, progress: HousekeepingProgress): Promise<'finished' | 'unfinished'> {
  try {
    for (;;) {
      setCurrentDetails(describeProgress(progress));
      const { removed, more } = await tidyUp(kind, progress.nowMs);
      progress.removed[kind] = (progress.removed[kind] ?? 0) + removed;
      if (!more) break;
      await sleep(chunkPause);
      if (shouldContinueAsNew()) return 'unfinished';
    }
    progress.done.push(kind);
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    progress.failed = [...(progress.failed ?? []), kind];
  }
  return 'finished';
}

/**
 * Up to 0.2.0 there were neither notices nor files, up to 0.3.0 no weekly reports, no audit log and no seats, and up to
 * 0.4.0 progress was not looked at; histories of then are to replay.
 */
function kindsToPrune(): readonly PrunedKind[] {
  if (patched('kinds-of-0.5.0')) return allKinds;
  if (patched('kinds-of-0.4.0')) return kindsOf040;
  return patched('notices-and-files') ? kindsOf030 : firstKinds;
}

function describeProgress({ removed, nowMs, failed = [] }: HousekeepingProgress): string {
  const all = allKinds.map((kind) => formatCount(removed[kind] ?? 0, ...kindNames[kind]));
  const left = failed.length === 0 ? '' : ` Not all deleted, to be tried again the next time: ${failed.map((kind) => kindNames[kind][1]).join(', ')}.`;
  return `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''} deleted that were over long enough before ${new Date(nowMs).toISOString()}.${left}`;
}
