import { findDelivery, type DeliveryRow } from '../../db/repositories/webhooks/deliveries';
import { lockEndpointStatus } from '../../db/repositories/webhooks/endpoints';
import { lockDeliveryRetryState, type DeliveryRetryState } from '../../db/repositories/webhooks/openDeliveries';
import type { Transaction } from '../context';
import { DomainError, requireFound } from '../errors';
import { openStatuses } from './transitions';

/**
 * Changes an open delivery, locked after its endpoint in the order of every command, and returns it as changed.
 * `conflict` if it has ended.
 */
export async function changeOpenDelivery(tx: Transaction, id: string, change: (delivery: DeliveryRetryState) => Promise<void>): Promise<DeliveryRow> {
  const { endpoint_id } = requireFound(await findDelivery(tx, id), 'delivery');
  await lockEndpointStatus(tx, endpoint_id);
  const delivery = requireFound(await lockDeliveryRetryState(tx, id), 'delivery');
  if (!openStatuses.has(delivery.status)) {
    throw new DomainError('conflict', `The delivery has already ended with status ${delivery.status}; a replay sends it again.`);
  }
  await change(delivery);
  return readLockedDelivery(tx, id);
}

/** Returns a delivery that the transaction has locked, as it is now. */
export async function readLockedDelivery(tx: Transaction, id: string): Promise<DeliveryRow> {
  const delivery = await findDelivery(tx, id);
  if (delivery === undefined) throw new Error('The locked delivery no longer exists');
  return delivery;
}
