import { lockEndpointStatus } from '../../db/repositories/webhooks/endpoints';
import { countReplaysOf, openDeadDeliveries, type DeadRange, type ReplayCursor } from '../../db/repositories/webhooks/replays';
import type { Transaction } from '../context';
import { holdEndpointDeliveries } from './pauseEndpoint';
import { deadlineFrom } from './replayDelivery';

/** How many deliveries one transaction replays. */
const chunkSize = 500;

/** How far a bulk replay is: there is `more`, it is `done`, or its endpoint takes none any more. */
export interface ReplayProgress {
  state: 'more' | 'done' | 'endpoint_inactive';
  /** Deliveries replayed, by all chunks together. */
  replayed: number;
  /** Where the next chunk goes on. */
  place: ReplayCursor;
}

/**
 * Replays the next chunk of a range, oldest first from after `place`. Idempotent: a delivery that this replay has sent
 * anew stays as it is, whatever became of it since. `replayedBefore` are those replayed up to `place`; undefined where the caller
 * cannot know, because a chunk may have been committed that it never heard of: then they are counted.
 */
export async function replayDeadChunk(tx: Transaction, replayId: string, range: DeadRange, place: ReplayCursor, replayedBefore?: number): Promise<ReplayProgress> {
  const endpoint = await lockEndpointStatus(tx, range.endpointId, { shared: true });
  const isActive = endpoint?.status === 'active' && !endpoint.deleted;
  const replay = { ref: replayId, limit: chunkSize, deadlineAt: deadlineFrom(tx.now), now: tx.now };
  const reached = isActive ? await openDeadDeliveries(tx, range, place, replay) : undefined;
  const replayed = replayedBefore === undefined ? await countReplaysOf(tx, replayId) : replayedBefore + (reached?.opened ?? 0);
  if (!isActive) return { state: 'endpoint_inactive', replayed, place };
  if (reached === undefined) return { state: 'done', replayed, place };
  await holdEndpointDeliveries(tx, range.endpointId);
  tx.wake();
  return { state: 'more', replayed, place: { createdAt: reached.createdAt, id: reached.id } };
}
