import { openBacklogs } from '../../db/repositories/webhooks/backlog';
import { findDelivery, type DeliveryRow } from '../../db/repositories/webhooks/deliveries';
import { findOpenBacklogs, lockEndpointStatus } from '../../db/repositories/webhooks/endpoints';
import { lockDeliveryRetryState, type DeliveryRetryState } from '../../db/repositories/webhooks/openDeliveries';
import { holdDelivery } from '../../db/repositories/webhooks/retries';
import type { Transaction } from '../context';
import { DomainError, notFound } from '../errors';
import { backlogWorkflowId, deliveryWorkflowId, type SignalArguments } from '../outbox/workflows';
import { holdEndpointDeliveries } from './pauseEndpoint';
import { openStatuses } from './transitions';

/**
 * Requests an immediate attempt of an open delivery outside of its schedule, which stays unchanged, as do window and
 * deadline. A held delivery is posted once, regardless of the reason. Repeated requests before the attempt cause one
 * attempt. `conflict` if the delivery has ended; use a replay then.
 */
export async function retryDeliveryNow(tx: Transaction, id: string): Promise<DeliveryRow> {
  const found = await findDelivery(tx, id);
  const waiting = found && (await lockOpenDelivery(tx, id, found.endpoint_id));
  if (waiting === undefined) throw notFound('delivery');
  await requestAttempt(tx, id, waiting);
  const delivery = await findDelivery(tx, id);
  if (delivery === undefined) throw new Error('The locked delivery no longer exists');
  return delivery;
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

/** Locks a delivery after its endpoint, in the order of every command; undefined for an unknown one, `conflict` if it has ended. */
export async function lockOpenDelivery(tx: Transaction, id: string, endpointId: string): Promise<DeliveryRetryState | undefined> {
  await lockEndpointStatus(tx, endpointId);
  const delivery = await lockDeliveryRetryState(tx, id);
  if (delivery !== undefined && !openStatuses.has(delivery.status)) {
    throw new DomainError('conflict', `The delivery has already ended with status ${delivery.status}; POST /webhooks/deliveries/{id}/replay sends it again.`);
  }
  return delivery;
}

async function signalBacklogs(tx: Transaction, endpointId: string, request: SignalArguments['attempt']): Promise<void> {
  await openBacklogs(tx.sql, [endpointId]);
  for (const { id, run } of await findOpenBacklogs(tx, endpointId)) tx.signalWorkflow('attempt', backlogWorkflowId(id, run), request);
}
