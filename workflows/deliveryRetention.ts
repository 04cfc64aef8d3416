import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { RetentionActivities } from '../activities/retention/retention';
import { formatCount } from './formatCount';
import { sweepStepOptions } from './institutionPass';
import { resumeProgress } from './progress';
import { newRetentionProgress, runRetentionPass, type RetentionProgress, type RetentionResult } from './retentionPass';

const { institutionsWithOldDeliveries, retainDeliveries } = proxyActivities<RetentionActivities>(sweepStepOptions);

/** Deletes the ended deliveries of every institution that are older than 90 days, with their attempts and replays. */
export async function deliveryRetention(before?: RetentionProgress): Promise<RetentionResult> {
  const progress = resumeProgress(before, newRetentionProgress(Date.now()));
  const result = await runRetentionPass(progress, { institutions: institutionsWithOldDeliveries, step: retainDeliveries, summarize });
  return result ?? continueAsNew<typeof deliveryRetention>(progress);
}

const summarize = ({ removed, nowMs }: RetentionProgress): string =>
  `${formatCount(removed, 'delivery', 'deliveries')} older than 90 days at ${new Date(nowMs).toISOString()} deleted`;
