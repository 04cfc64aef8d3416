import { ApplicationFailure, continueAsNew, patched, proxyActivities } from '@temporalio/workflow';
import type { RetentionActivities } from '../activities/retention/retention';
import { formatCount } from './formatCount';
import { sweepStepOptions } from './institutionPass';
import { resumeProgress } from './progress';
import { newRetentionProgress, runRetentionPass, type RetentionProgress, type RetentionResult } from './retentionPass';

const { institutionsWithOldTraces, retainTraces, institutionsWithSuspendedPeople } = proxyActivities<RetentionActivities>(sweepStepOptions);
// A hundred transactions, each of which may wait for locks.
const { eraseSuspendedPeople } = proxyActivities<RetentionActivities>({ ...sweepStepOptions, startToCloseTimeout: '10 minutes', heartbeatTimeout: '10 seconds' });

/** The progress of both passes; passed on when it continues as a new run. */
export interface InstitutionRetentionProgress extends RetentionProgress {
  /** The pass through suspended people; absent until the first pass has ended. */
  people?: RetentionProgress;
}

/** The outcome of both passes; histories from before the second have the first one's alone. */
export interface InstitutionRetentionResult extends RetentionResult {
  /** People whose erasure was begun. */
  erased?: number;
}

/**
 * Removes the recordings and proctoring details of every institution that are older than it keeps them, and erases people who are
 * suspended for longer than it keeps them. A pass that fails for some institutions does not keep the other from running.
 */
export async function institutionRetention(before?: InstitutionRetentionProgress): Promise<InstitutionRetentionResult> {
  const progress: InstitutionRetentionProgress = resumeProgress(before, newRetentionProgress(Date.now()));
  let failure: ApplicationFailure | undefined;
  if (progress.people === undefined) {
    const result = await runRetentionPass(progress, { institutions: institutionsWithOldTraces, step: retainTraces, summarize }).catch((error: unknown) => {
      if (!(error instanceof ApplicationFailure)) throw error;
      failure = error;
      return resultOf(progress);
    });
    if (result === undefined) return continueAsNew<typeof institutionRetention>(progress);
    if (!patched('suspended-people')) {
      if (failure !== undefined) throw failure;
      return result;
    }
    progress.people = newRetentionProgress(progress.nowMs);
  }
  const summarizePeople = ({ removed }: RetentionProgress): string =>
    `${summarize(progress)} in ${formatCount(progress.institutions, 'institution', 'institutions')}; ${formatCount(removed, 'suspended person', 'suspended people')} erased`;
  const people = await runRetentionPass(progress.people, { institutions: institutionsWithSuspendedPeople, step: eraseSuspendedPeople, summarize: summarizePeople });
  if (people === undefined) return continueAsNew<typeof institutionRetention>(progress);
  if (failure !== undefined) throw failure;
  return { ...resultOf(progress), erased: people.removed };
}

const resultOf = ({ removed, kept, institutions }: RetentionProgress): RetentionResult => ({ removed, kept, institutions });

const summarize = ({ removed, nowMs }: RetentionProgress): string =>
  `${formatCount(removed, 'recording or proctoring detail', 'recordings and proctoring details')} that were no longer to be kept at ${new Date(nowMs).toISOString()} removed`;
