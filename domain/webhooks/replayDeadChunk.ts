import { lockEndpointStatus } from '../../db/repositories/webhooks/endpoints';
import { countReplaysOf, openDeadDeliveries, type DeadRange, type ReplayCursor } from '../../db/repositories/webhooks/replays';
import type { Transaction } from '../context';
import { holdEndpointDeliveries } from './pauseEndpoint';
import { deadlineFrom } from './replayDelivery';

/** Number of deliveries that one transaction replays. */
const chunkSize = 500;

/** The progress of a bulk replay: there is `more`, it is `done`, or its endpoint no longer accepts deliveries. */
export interface ReplayProgress {
  state: 'more' | 'done' | 'endpoint_inactive';
  /** Deliveries replayed, by all chunks together. */
  replayed: number;
  /** The position of the next chunk. */
  place: ReplayCursor;
}

/**
 * Replays the next chunk of a range, oldest first after `place`. Idempotent: a delivery already sent again by this replay
 * is skipped. `replayedBefore` is the number of deliveries replayed up to `place`; undefined if unknown, because the
 * result of a committed chunk may be lost: then they are counted.
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
