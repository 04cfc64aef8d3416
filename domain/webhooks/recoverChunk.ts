import { lockEventsForKeyShare } from '../../db/repositories/events/events';
import { findEndpoint, lockEndpointStatus } from '../../db/repositories/webhooks/endpoints';
import { insertRecoveredDeliveries, isAnyQueued, lockEndpointRecoveries, nextMissedEvents } from '../../db/repositories/webhooks/recovery';
import { countReplaysOf } from '../../db/repositories/webhooks/replays';
import type { Transaction } from '../context';
import { holdEndpointDeliveries } from './pauseEndpoint';
import { deadlineFrom } from './replayDelivery';
import { subscribedTypes } from './subscriptions';

/** Number of deliveries that one transaction writes, and of events among which it looks for them. */
const chunkSize = 500;
const maxEventsScanned = 5_000;

/** The range of a recovery: its events after `since` and up to `until`, narrowed to types or prefixes if there are any. */
export interface RecoveryRange {
  endpointId: string;
  until: Date;
  eventTypes: readonly string[] | undefined;
}

/** The progress of a recovery: there is `more`, it is `done`, or its endpoint no longer accepts deliveries. */
export interface RecoveryProgress {
  state: 'more' | 'done' | 'endpoint_inactive';
  /** Deliveries written, by all chunks together. */
  recovered: number;
  /** The time after which the next chunk begins. */
  reached: Date;
}

/**
 * Writes the next deliveries of a recovery, of events after `after`, oldest first. Idempotent: an event that has a delivery to the
 * endpoint gets no other. `recoveredBefore` is the number written up to `after`; undefined if unknown, because the result of a
 * committed chunk may be lost: then they are counted.
 */
export async function recoverChunk(tx: Transaction, recoveryId: string, range: RecoveryRange, after: Date, recoveredBefore?: number): Promise<RecoveryProgress> {
  const { endpointId, until, eventTypes } = range;
  await lockEndpointRecoveries(tx, endpointId);
  const { status } = (await lockEndpointStatus(tx, endpointId, { shared: true })) ?? {};
  const endpoint = await findEndpoint(tx, endpointId);
  const total = async (written: number): Promise<number> => (recoveredBefore === undefined ? countReplaysOf(tx, recoveryId) : recoveredBefore + written);
  if (status !== 'active' || endpoint === undefined) return { state: 'endpoint_inactive', recovered: await total(0), reached: after };
  const events = { since: after, until, types: subscribedTypes(endpoint.events, eventTypes) };
  const { eventIds, reached } = await nextMissedEvents(tx, endpointId, events, { scan: maxEventsScanned, limit: chunkSize });
  if (reached === null) return { state: 'done', recovered: await total(0), reached: after };
  // An event is fanned out once: one that is no longer queued has all deliveries that the fan-out makes. The caller tries again.
  if (await isAnyQueued(tx, eventIds)) throw new Error('Events of this recovery are still to be fanned out');
  // Locked first, so that none is pruned before its delivery is there.
  const kept = await lockEventsForKeyShare(tx, eventIds);
  const written = kept.length === 0 ? 0 : await insertRecoveredDeliveries(tx, endpointId, kept, { ref: recoveryId, deadlineAt: deadlineFrom(tx.now), now: tx.now });
  if (written > 0) {
    await holdEndpointDeliveries(tx, endpointId);
    tx.wake();
  }
  return { state: 'more', recovered: await total(written), reached };
}
