import { openBacklogs, wakeBacklogs } from '../../db/repositories/webhooks/backlog';
import { finalStatusByReason } from '../../db/repositories/webhooks/deliveryStatus';
import { endOpenDeliveries } from '../../db/repositories/webhooks/openDeliveries';
import type { Transaction } from '../context';
import { deliveryWorkflowId } from '../outbox/workflows';

/** How many deliveries one statement ends, and how many statements the command runs: the endpoint's backlog ends the remaining ones. */
const chunkSize = 1_000;
const maxChunks = 10;

/** Ends the open deliveries of an endpoint, disabled or deleted and locked by the caller, and signals their workflows. */
export async function endEndpointDeliveries(tx: Transaction, endpointId: string, reason: 'endpoint_disabled' | 'endpoint_deleted'): Promise<void> {
  for (let chunks = 1; ; chunks += 1) {
    const ended = await endOpenDeliveries(tx, endpointId, reason, chunkSize, tx.now);
    for (const { id, cycle, has_workflow } of ended) {
      if (has_workflow) tx.signalWorkflow('cancel', deliveryWorkflowId(id, cycle), {});
    }
    if (ended.length === 0) break;
    tx.countEndedDeliveries(finalStatusByReason[reason], ended.length);
    if (chunks === maxChunks) {
      await openBacklogs(tx.sql, [endpointId]);
      break;
    }
  }
  await wakeBacklogs(tx.sql, [endpointId], tx.now);
  tx.wake();
}
