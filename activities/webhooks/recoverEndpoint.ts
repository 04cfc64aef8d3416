import { activityInfo } from '@temporalio/activity';
import type { Domain } from '../../domain/context';
import type { WorkflowArguments } from '../../domain/outbox/workflows';
import { transact } from '../../domain/transact';
import { recoverChunk, type RecoveryProgress } from '../../domain/webhooks/recoverChunk';
import { createDatabaseActivityTime } from '../activityNow';

type EndpointRecovery = WorkflowArguments['endpointRecovery'];

/** The progress of a recovery in its workflow. */
export interface RecoveryState extends Omit<RecoveryProgress, 'reached'> {
  /** The time of the last event that was read, as the events have it. */
  reachedMs: number;
}

/** The activity of the recovery. `nowMs` is the workflow's time. */
export interface RecoveryActivities {
  /** Writes the next deliveries after what is reached, in one transaction; idempotent. */
  recoverNextDeliveries(recovery: EndpointRecovery, before: RecoveryState, nowMs: number): Promise<RecoveryState>;
}

/** Returns the recovery's activity. */
export function createRecoveryActivities(domain: Domain): RecoveryActivities {
  const activityTime = createDatabaseActivityTime(domain.database.sql);
  return {
    recoverNextDeliveries: async ({ recoveryId, institutionId, endpointId, untilMs, eventTypes }, { recovered, reachedMs }, nowMs) => {
      const range = { endpointId, until: new Date(untilMs), eventTypes };
      const { now } = await activityTime(institutionId, nowMs);
      // On a retry the result of a committed first try may be lost.
      const before = activityInfo().attempt > 1 ? undefined : recovered;
      const { reached, ...progress } = await transact(domain, { institutionId, now }, (tx) => recoverChunk(tx, recoveryId, range, new Date(reachedMs), before));
      return { ...progress, reachedMs: reached.getTime() };
    },
  };
}
