import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { RetentionActivities } from '../activities/retention/retention';
import { formatCount } from './formatCount';
import { sweepStepOptions } from './institutionPass';
import { resumeProgress } from './progress';
import { newRetentionProgress, runRetentionPass, type RetentionProgress, type RetentionResult } from './retentionPass';

const { institutionsWithOldEvents, retainEvents } = proxyActivities<RetentionActivities>(sweepStepOptions);

/** Prunes the events of every institution that are older than 30 days and are not needed by a delivery (section Events, Retention). */
export async function eventRetention(before?: RetentionProgress): Promise<RetentionResult> {
  const progress = resumeProgress(before, newRetentionProgress(Date.now()));
  const result = await runRetentionPass(progress, { institutions: institutionsWithOldEvents, step: retainEvents, summarize });
  return result ?? continueAsNew<typeof eventRetention>(progress);
}

const summarize = ({ removed, nowMs }: RetentionProgress): string =>
  `${formatCount(removed, 'event', 'events')} older than 30 days at ${new Date(nowMs).toISOString()} pruned`;
