import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { RetentionActivities } from '../activities/retention/retention';
import { counted } from './formatCount';
import { sweepStep } from './institutionPass';
import { progressSince } from './progress';
import { newRetention, passRetention, type RetentionProgress, type RetentionResult } from './retentionPass';

const { institutionsWithOldDeliveries, retainDeliveries } = proxyActivities<RetentionActivities>(sweepStep);

/** Deletes the ended deliveries of every institution that are older than 90 days, with their attempts and replays. */
export async function deliveryRetention(before?: RetentionProgress): Promise<RetentionResult> {
  const progress = progressSince(before, newRetention(Date.now()));
  const result = await passRetention(progress, { institutions: institutionsWithOldDeliveries, step: retainDeliveries, told });
  return result ?? continueAsNew<typeof deliveryRetention>(progress);
}

const told = ({ removed, nowMs }: RetentionProgress): string =>
  `${counted(removed, 'delivery', 'deliveries')} older than 90 days at ${new Date(nowMs).toISOString()} deleted`;
