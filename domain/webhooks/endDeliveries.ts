import { findOpenBacklogs } from '../../db/repositories/endpoints';
import { endOpenDeliveries } from '../../db/repositories/openDeliveries';
import type { Transaction } from '../context';
import { backlogWorkflowId, deliveryWorkflowId } from '../owed/workflows';

/** How many deliveries one statement ends. */
const chunk = 1_000;

/** Ends every open delivery of an endpoint whose row the caller has locked, and tells the workflows that wait for them. */
export async function endEndpointDeliveries(tx: Transaction, endpointId: string, status: 'cancelled' | 'dead'): Promise<void> {
  for (;;) {
    const ended = await endOpenDeliveries(tx, endpointId, status, chunk);
    for (const { id, cycle, has_workflow } of ended) {
      if (has_workflow) tx.signalWorkflow('cancel', deliveryWorkflowId(id, cycle), {});
    }
    if (ended.length < chunk) break;
  }
  await wakeBacklogs(tx, endpointId);
}

/** Has the backlog of an endpoint, or those of all endpoints of the institution, look at Postgres again. */
export async function wakeBacklogs(tx: Transaction, endpointId: string | null): Promise<void> {
  for (const { id, run } of await findOpenBacklogs(tx, endpointId)) tx.signalWorkflow('look', backlogWorkflowId(id, run), {});
}
