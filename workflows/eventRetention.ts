import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { RetentionActivities } from '../activities/retention/retention';
import { counted } from './formatCount';
import { sweepStep } from './institutionPass';
import { progressSince } from './progress';
import { newRetention, passRetention, type RetentionProgress, type RetentionResult } from './retentionPass';

const { institutionsWithOldEvents, retainEvents } = proxyActivities<RetentionActivities>(sweepStep);

/** Prunes the events of every institution that are older than 30 days and no longer to be sent (section Events, Retention). */
export async function eventRetention(before?: RetentionProgress): Promise<RetentionResult> {
  const progress = progressSince(before, newRetention(Date.now()));
  const result = await passRetention(progress, { institutions: institutionsWithOldEvents, step: retainEvents, told });
  return result ?? continueAsNew<typeof eventRetention>(progress);
}

const told = ({ removed, nowMs }: RetentionProgress): string =>
  `${counted(removed, 'event', 'events')} older than 30 days at ${new Date(nowMs).toISOString()} pruned`;
