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
 * Has an open delivery attempted at once, outside of its schedule, which stays as it was: window and deadline too. One that is
 * held is posted once, whatever holds it. Asked again before that attempt was made, it is attempted once all the same. Raises `conflict` when it has ended; a replay is for that.
 */
export async function retryDeliveryNow(tx: Transaction, id: string): Promise<DeliveryRow> {
  const found = await findDelivery(tx, id);
  const waiting = found && (await lockOpenDelivery(tx, id, found.endpoint_id));
  if (waiting === undefined) throw notFound('delivery');
  await requestAttempt(tx, id, waiting);
  const delivery = await findDelivery(tx, id);
  if (delivery === undefined) throw new Error('The delivery vanished under its lock');
  return delivery;
}

/** Tells whoever waits for the delivery; where the endpoint takes none, only its backlog posts one all the same. */
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
      // The backlog has it from here on: its own workflow reads so and ends, rather than tell of an attempt that nobody makes.
      if (retried_by === 'workflow') tx.signalWorkflow('cancel', deliveryWorkflowId(id, cycle), {});
    }
    await signalBacklogs(tx, waiting.endpoint_id, { deliveryId: id, attempts });
  }
}

/** Locks a delivery, its endpoint first as everywhere; undefined when there is none, `conflict` when it has ended. */
export async function lockOpenDelivery(tx: Transaction, id: string, endpointId: string): Promise<DeliveryRetryState | undefined> {
  await lockEndpointStatus(tx, endpointId);
  const delivery = await lockDeliveryRetryState(tx, id);
  if (delivery !== undefined && !openStatuses.has(delivery.status)) {
    throw new DomainError('conflict', `The delivery has ended: it is ${delivery.status}.`);
  }
  return delivery;
}

async function signalBacklogs(tx: Transaction, endpointId: string, request: SignalArguments['attempt']): Promise<void> {
  await openBacklogs(tx.sql, [endpointId]);
  for (const { id, run } of await findOpenBacklogs(tx, endpointId)) tx.signalWorkflow('attempt', backlogWorkflowId(id, run), request);
}
