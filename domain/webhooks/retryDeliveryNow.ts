import { openBacklogs } from '../../db/repositories/backlog';
import { findDelivery, type DeliveryRow } from '../../db/repositories/deliveries';
import { shareEndpoint } from '../../db/repositories/endpoints';
import { lockWaiting, type WaitedDelivery } from '../../db/repositories/openDeliveries';
import type { Transaction } from '../context';
import { DomainError, notFound } from '../errors';
import { backlogWorkflowId, deliveryWorkflowId } from '../owed/workflows';
import { openStatuses } from './transitions';

/**
 * Has an open delivery attempted at once, outside of its schedule, which stays as it was: window and deadline too. One that is
 * held is posted once, whatever holds it. Raises `conflict` when it has ended; a replay is for that.
 */
export async function retryDeliveryNow(tx: Transaction, id: string): Promise<DeliveryRow> {
  const found = await findDelivery(tx, id);
  const waiting = found && (await lockOpenDelivery(tx, id, found.endpoint_id));
  if (waiting === undefined) throw notFound('delivery');
  if (waiting.status === 'pending') tx.wake();
  else if (waiting.status === 'retrying' && waiting.retried_by === 'workflow') tx.signalWorkflow('retryNow', deliveryWorkflowId(id, waiting.cycle), {});
  else await askBacklog(tx, id, waiting);
  const delivery = await findDelivery(tx, id);
  if (delivery === undefined) throw new Error('The delivery vanished under its lock');
  return delivery;
}

/** Locks a delivery, its endpoint first as everywhere; undefined when there is none, `conflict` when it has ended. */
export async function lockOpenDelivery(tx: Transaction, id: string, endpointId: string): Promise<WaitedDelivery | undefined> {
  await shareEndpoint(tx, endpointId);
  const delivery = await lockWaiting(tx, id);
  if (delivery !== undefined && !openStatuses.has(delivery.status)) {
    throw new DomainError('conflict', `The delivery has ended: it is ${delivery.status}.`);
  }
  return delivery;
}

async function askBacklog(tx: Transaction, deliveryId: string, { endpoint_id, backlog_open, backlog_run }: WaitedDelivery): Promise<void> {
  if (!backlog_open) await openBacklogs(tx.sql, [endpoint_id]);
  const run = backlog_open ? backlog_run : backlog_run + 1;
  tx.signalWorkflow('attempt', backlogWorkflowId(endpoint_id, run), { deliveryId });
}
