import { openBacklogs } from '../../db/repositories/webhooks/backlog';
import type { DeliveryRow } from '../../db/repositories/webhooks/deliveries';
import { findOpenBacklogs } from '../../db/repositories/webhooks/endpoints';
import type { DeliveryRetryState } from '../../db/repositories/webhooks/openDeliveries';
import { holdDelivery } from '../../db/repositories/webhooks/retries';
import type { Transaction } from '../context';
import { backlogWorkflowId, deliveryWorkflowId, type SignalArguments } from '../outbox/workflows';
import { changeOpenDelivery } from './changeOpenDelivery';
import { holdEndpointDeliveries } from './pauseEndpoint';

/**
 * Requests an immediate attempt of an open delivery outside of its schedule, which stays unchanged, as do window and
 * deadline. A held delivery is posted once, regardless of the reason. Repeated requests before the attempt cause one
 * attempt. `conflict` if the delivery has ended; use a replay then.
 */
export function retryDeliveryNow(tx: Transaction, id: string): Promise<DeliveryRow> {
  return changeOpenDelivery(tx, id, (waiting) => requestAttempt(tx, id, waiting));
}

/** Signals the workflow that waits for the delivery; if the endpoint accepts none, only its backlog can post one. */
async function requestAttempt(tx: Transaction, id: string, waiting: DeliveryRetryState): Promise<void> {
  const { status, cycle, attempts, retried_by, is_taken } = waiting;
  if (is_taken && status === 'pending') {
    tx.wake();
  } else if (is_taken && status === 'retrying' && retried_by === 'workflow') {
    tx.signalWorkflow('retryNow', deliveryWorkflowId(id, cycle), { attempts });
  } else {
    if (status === 'pending') await holdEndpointDeliveries(tx, waiting.endpoint_id);
    if (status === 'retrying') {
      await holdDelivery(tx.sql, tx.institutionId, id, cycle, tx.now);
      // The backlog takes over: the delivery's own workflow ends instead of reporting an attempt that no one makes.
      if (retried_by === 'workflow') tx.signalWorkflow('cancel', deliveryWorkflowId(id, cycle), {});
    }
    await signalBacklogs(tx, waiting.endpoint_id, { deliveryId: id, attempts });
  }
}

async function signalBacklogs(tx: Transaction, endpointId: string, request: SignalArguments['attempt']): Promise<void> {
  await openBacklogs(tx.sql, [endpointId]);
  for (const { id, run } of await findOpenBacklogs(tx, endpointId)) tx.signalWorkflow('attempt', backlogWorkflowId(id, run), request);
}
