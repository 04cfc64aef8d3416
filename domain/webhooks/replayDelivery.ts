import type { EndpointStatus } from '../../db/entities/endpoint';
import { findDelivery, lockDelivery, type DeliveryRow } from '../../db/repositories/webhooks/deliveries';
import { lockEndpointStatus } from '../../db/repositories/webhooks/endpoints';
import { lockEventForKeyShare } from '../../db/repositories/events/events';
import { recordDeliveryReplay, openDeliveryCycle, wasReplayed } from '../../db/repositories/webhooks/replays';
import type { Transaction } from '../context';
import { DomainError, notFound } from '../errors';
import { readLockedDelivery } from './changeOpenDelivery';
import { holdEndpointDeliveries } from './pauseEndpoint';
import { deliveryWindowMs } from './retrySchedule';
import { openStatuses } from './transitions';

/** A delivery after a replay; `applied` is false if its ref was already used for it. */
export interface Replay {
  delivery: DeliveryRow;
  applied: boolean;
}

/**
 * Sends an ended delivery again: the same id and envelope, a new window of 12 hours. Idempotent on `ref`.
 * `endpoint_inactive` if its endpoint accepts no deliveries, `conflict` while the delivery is open, `event_pruned` if its
 * envelope is gone.
 */
export async function replayDelivery(tx: Transaction, id: string, ref: string | undefined): Promise<Replay> {
  const delivery = await lockWithEndpoint(tx, id);
  if (ref !== undefined && (await wasReplayed(tx, id, ref))) return { delivery, applied: false };
  requireReplayable(delivery);
  // Checked again under its lock: the event of an open delivery is not pruned.
  if (!(await lockEventForKeyShare(tx, delivery.event_id))) throw eventPrunedError();
  const cycle = await openDeliveryCycle(tx, id, deadlineFrom(tx.now));
  if (ref !== undefined) await recordDeliveryReplay(tx, id, ref, cycle, tx.now);
  // While the circuit is open only probes are attempted.
  await holdEndpointDeliveries(tx, delivery.endpoint_id);
  tx.wake();
  return { delivery: await readLockedDelivery(tx, id), applied: true };
}

/** Returns the deadline of a replay at `now`: 12 hours later; it moves when the first attempt begins. */
export const deadlineFrom = (now: Date): Date => new Date(now.getTime() + deliveryWindowMs);

interface LockedDelivery extends DeliveryRow {
  /** What the endpoint is; null if it accepts deliveries. */
  inactive: 'paused' | 'disabled' | 'deleted' | null;
}

/** Locks institution and endpoint first, in the order of every command, so that neither is paused or deleted between the check and the commit. */
async function lockWithEndpoint(tx: Transaction, id: string): Promise<LockedDelivery> {
  const found = await findDelivery(tx, id);
  const endpoint = found && (await lockEndpointStatus(tx, found.endpoint_id));
  const delivery = endpoint && (await lockDelivery(tx, id));
  if (delivery === undefined) throw notFound('delivery');
  return { ...delivery, inactive: inactiveState(endpoint) };
}

function inactiveState(endpoint: { status: EndpointStatus; deleted: boolean } | undefined): LockedDelivery['inactive'] {
  if (endpoint === undefined || endpoint.deleted) return 'deleted';
  return endpoint.status === 'active' ? null : endpoint.status;
}

function requireReplayable({ status, inactive, payload }: LockedDelivery): void {
  // Checked first: a held delivery waits for its endpoint, and the status "held" alone would not explain it.
  if (inactive !== null) throw new DomainError('endpoint_inactive', `The endpoint of this delivery is ${inactive}${inactive === 'deleted' ? ': nothing is sent to it any more' : '; set its status to active first'}.`);
  if (openStatuses.has(status)) throw new DomainError('conflict', `The delivery is still ${status}: it is attempted without a replay. A delivery is replayed once it is delivered, dead or cancelled.`);
  if (payload === null) throw eventPrunedError();
}

const eventPrunedError = (): DomainError => new DomainError('event_pruned', 'The event of this delivery is no longer kept.');
