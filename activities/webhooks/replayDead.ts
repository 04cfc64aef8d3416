import { activityInfo } from '@temporalio/activity';
import type { Domain } from '../../domain/context';
import type { WorkflowArguments } from '../../domain/outbox/workflows';
import { transact } from '../../domain/transact';
import { replayDeadChunk, type ReplayProgress } from '../../domain/webhooks/replayDeadChunk';
import { createDatabaseActivityTime } from '../activityNow';

type BulkReplay = WorkflowArguments['bulkReplay'];

/** A position among the dead deliveries, oldest first. */
export interface ReplayPosition {
  createdAtMs: number;
  id: string;
  /** How many were replayed up to here; absent at the beginning, and in results of version 0.5.0. */
  replayed?: number;
}

/** The progress of a bulk replay in its workflow. */
export interface ReplayState extends Omit<ReplayProgress, 'place'> {
  place: ReplayPosition;
}

/** The activity of the bulk replay. `nowMs` is the workflow's time. */
export interface ReplayActivities {
  /** Replays the next chunk after a position, in one transaction; idempotent. */
  replayDead(replay: BulkReplay, after: ReplayPosition, nowMs: number): Promise<ReplayState>;
}

/** Returns how many were replayed up to a position; undefined on a retry, because the result of a committed first try may be lost. */
function replayedUpTo({ id, replayed }: ReplayPosition): number | undefined {
  if (activityInfo().attempt > 1) return undefined;
  return id === '' ? 0 : replayed;
}

/** Returns the bulk replay's activity. */
export function createReplayActivities(domain: Domain): ReplayActivities {
  const activityTime = createDatabaseActivityTime(domain.database.sql);
  return {
    replayDead: async ({ replayId, institutionId, endpointId, sinceMs, untilMs, eventTypes, responseCodes }, after, nowMs) => {
      const range = { endpointId, since: new Date(sinceMs), until: new Date(untilMs), eventTypes, responseCodes };
      const from = { createdAt: new Date(after.createdAtMs), id: after.id };
      const { now } = await activityTime(institutionId, nowMs);
      const { place, ...progress } = await transact(domain, { institutionId, now }, (tx) =>
        replayDeadChunk(tx, replayId, range, from, replayedUpTo(after)),
      );
      return { ...progress, place: { createdAtMs: place.createdAt.getTime(), id: place.id, replayed: progress.replayed } };
    },
  };
}
