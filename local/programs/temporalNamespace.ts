import type { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { isNotFound } from '../../outbound/temporal/grpcCode';
import { registerSearchAttributes } from '../../outbound/temporal/searchAttributes';

const historyRetention = msToTs('30 days');

/** Lets closed workflows be looked up for 30 days. */
export async function setHistoryRetention(connection: Connection, namespace: string): Promise<void> {
  await connection.workflowService.updateNamespace({
    namespace,
    config: { workflowExecutionRetentionTtl: historyRetention },
  });
}

/** Makes the namespace when the server lacks it, with the search attributes. An existing one keeps its retention. */
export async function ensureNamespace(connection: Connection, namespace: string): Promise<void> {
  try {
    await connection.workflowService.describeNamespace({ namespace });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: historyRetention });
  }
  // Where we may not make them, the worker says which are lacking.
  await registerSearchAttributes(connection, namespace);
}
