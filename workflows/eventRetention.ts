import { continueAsNew, patched, proxyActivities } from '@temporalio/workflow';
import type { RetentionActivities } from '../activities/retention/retention';
import { formatCount } from './formatCount';
import { sweepStepOptions } from './institutionPass';
import { resumeProgress } from './progress';
import { newRetentionProgress, runRetentionPass, type RetentionProgress, type RetentionResult } from './retentionPass';

const { institutionsWithOldEvents, retainEvents } = proxyActivities<RetentionActivities>(sweepStepOptions);
// A partition may have ten million rows to be looked through, and its locks may not be free at once.
const { keepPartitions } = proxyActivities<RetentionActivities>({ ...sweepStepOptions, startToCloseTimeout: '1 hour', scheduleToCloseTimeout: '2 hours', heartbeatTimeout: '10 seconds' });

/** Keeps the partitions by time, then prunes the events of every institution that are older than 30 days and are not needed by a delivery (section Events, Retention). */
export async function eventRetention(before?: RetentionProgress): Promise<RetentionResult> {
  const progress = resumeProgress(before, newRetentionProgress(Date.now()));
  if (before === undefined && patched('partitions')) await keepPartitions();
  const result = await runRetentionPass(progress, { institutions: institutionsWithOldEvents, step: retainEvents, summarize });
  return result ?? continueAsNew<typeof eventRetention>(progress);
}

const summarize = ({ removed, nowMs }: RetentionProgress): string =>
  `${formatCount(removed, 'event', 'events')} older than 30 days at ${new Date(nowMs).toISOString()} pruned`;
