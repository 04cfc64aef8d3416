import { findDelivery, type DeliveryRow } from '../../db/repositories/webhooks/deliveries';
import { endDelivery } from '../../db/repositories/webhooks/retries';
import type { Transaction } from '../context';
import { notFound } from '../errors';
import { deliveryWorkflowId } from '../outbox/workflows';
import { lockOpenDelivery } from './retryDeliveryNow';

/** Cancels an open delivery: no further attempt is made, and an attempt in progress changes nothing. `conflict` if it has ended. */
export async function cancelDelivery(tx: Transaction, id: string): Promise<DeliveryRow> {
  const found = await findDelivery(tx, id);
  const waiting = found && (await lockOpenDelivery(tx, id, found.endpoint_id));
  if (waiting === undefined) throw notFound('delivery');
  if (await endDelivery(tx.sql, tx.institutionId, id, waiting.cycle, 'cancelled')) tx.countEndedDeliveries('cancelled', 1);
  if (waiting.status === 'retrying' && waiting.retried_by === 'workflow') tx.signalWorkflow('cancel', deliveryWorkflowId(id, waiting.cycle), {});
  const delivery = await findDelivery(tx, id);
  if (delivery === undefined) throw new Error('The locked delivery no longer exists');
  return delivery;
}
