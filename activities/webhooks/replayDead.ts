import type { Domain } from '../../domain/context';
import type { WorkflowArguments } from '../../domain/owed/workflows';
import { transact } from '../../domain/transact';
import { replayDeadChunk, type ReplayProgress } from '../../domain/webhooks/replayDeadChunk';
import { timeOfWork } from '../timeOfWork';

type BulkReplay = WorkflowArguments['bulkReplay'];

/** A place among the dead deliveries, oldest first. */
export interface PlaceReached {
  createdAtMs: number;
  id: string;
}

/** How far a bulk replay is, as its workflow keeps it. */
export interface ReplayReached extends Omit<ReplayProgress, 'place'> {
  place: PlaceReached;
}

/** What the bulk replay calls. `nowMs` is the workflow's time. */
export interface ReplayActivities {
  /** Replays the next chunk after a place, in one transaction; may be repeated. */
  replayDead(replay: BulkReplay, after: PlaceReached, nowMs: number): Promise<ReplayReached>;
}

/** The bulk replay's activity over one domain. */
export function createReplayActivities(domain: Domain): ReplayActivities {
  return {
    replayDead: async ({ replayId, institutionId, endpointId, sinceMs, untilMs }, after, nowMs) => {
      const range = { endpointId, since: new Date(sinceMs), until: new Date(untilMs) };
      const from = { createdAt: new Date(after.createdAtMs), id: after.id };
      const { place, ...progress } = await transact(domain, { institutionId, now: timeOfWork(nowMs) }, (tx) => replayDeadChunk(tx, replayId, range, from));
      return { ...progress, place: { createdAtMs: place.createdAt.getTime(), id: place.id } };
    },
  };
}
