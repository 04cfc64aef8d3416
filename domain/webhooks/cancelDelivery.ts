import type { DeliveryRow } from '../../db/repositories/webhooks/deliveries';
import { endDelivery } from '../../db/repositories/webhooks/retries';
import type { Transaction } from '../context';
import { deliveryWorkflowId } from '../outbox/workflows';
import { changeOpenDelivery } from './changeOpenDelivery';

/** Cancels an open delivery: no further attempt is made, and an attempt in progress changes nothing. `conflict` if it has ended. */
export function cancelDelivery(tx: Transaction, id: string): Promise<DeliveryRow> {
  return changeOpenDelivery(tx, id, async ({ status, cycle, retried_by }) => {
    if (await endDelivery(tx.sql, tx.institutionId, id, cycle, 'cancelled', tx.now)) tx.countEndedDeliveries('cancelled', 1);
    if (status === 'retrying' && retried_by === 'workflow') tx.signalWorkflow('cancel', deliveryWorkflowId(id, cycle), {});
  });
}
