import { EndpointEntity } from '../../db/entities/endpoint';
import { cancelOpenDeliveries, lockEndpoint } from '../../db/repositories/endpoints';
import type { Transaction } from '../context';
import { notFound } from '../errors';
import { deliveryWorkflowId } from '../owed/workflows';

/** How many deliveries one statement cancels. */
const chunk = 1_000;

/**
 * Deletes an endpoint and cancels its open deliveries; workflows that retry some are told. The deliveries and
 * their attempts stay readable.
 */
export async function deleteEndpoint(tx: Transaction, id: string): Promise<void> {
  const endpoint = await lockEndpoint(tx, id);
  if (endpoint === undefined) throw notFound('webhook endpoint');
  await tx.manager.update(EndpointEntity, { id, institutionId: tx.institutionId }, { deletedAt: tx.now, updatedAt: tx.now });
  for (;;) {
    const cancelled = await cancelOpenDeliveries(tx, id, chunk);
    if (cancelled.length === 0) return;
    for (const delivery of cancelled) {
      if (delivery.is_retried) tx.signalWorkflow('cancel', deliveryWorkflowId(delivery.id, delivery.cycle), {});
    }
  }
}
