import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { RetentionActivities } from '../activities/retention/retention';
import { newPass, passThroughInstitutions, type PassProgress, type PassResult } from './institutionPass';
import { counted } from './counted';

const { institutionsWithOldEvents, retainEvents } = proxyActivities<RetentionActivities>({
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '30 minutes',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

/** Prunes the events of every institution that are older than 30 days and no longer to be sent (section Events, Retention). */
export async function eventRetention(before?: PassProgress): Promise<PassResult> {
  const progress = before ?? newPass(Date.now());
  const result = await passThroughInstitutions(progress, { institutions: institutionsWithOldEvents, step: retainEvents, told });
  return result ?? continueAsNew<typeof eventRetention>(progress);
}

const told = ({ removed, nowMs }: PassProgress): string =>
  `${counted(removed, 'event', 'events')} older than 30 days at ${new Date(nowMs).toISOString()} pruned`;
