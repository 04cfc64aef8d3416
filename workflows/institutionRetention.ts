import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { RetentionActivities } from '../activities/retention/retention';
import { formatCount } from './formatCount';
import { sweepStepOptions } from './institutionPass';
import { resumeProgress } from './progress';
import { newRetentionProgress, runRetentionPass, type RetentionProgress, type RetentionResult } from './retentionPass';

const { institutionsWithOldTraces, retainTraces } = proxyActivities<RetentionActivities>(sweepStepOptions);

/** Removes the recordings and proctoring details of every institution that are older than it keeps them. */
export async function institutionRetention(before?: RetentionProgress): Promise<RetentionResult> {
  const progress = resumeProgress(before, newRetentionProgress(Date.now()));
  const result = await runRetentionPass(progress, { institutions: institutionsWithOldTraces, step: retainTraces, summarize });
  return result ?? continueAsNew<typeof institutionRetention>(progress);
}

const summarize = ({ removed, nowMs }: RetentionProgress): string =>
  `${formatCount(removed, 'recording or proctoring detail', 'recordings and proctoring details')} that were no longer to be kept at ${new Date(nowMs).toISOString()} removed`;
