import { isGrpcServiceError, type Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';

/** What operators search workflows by; each is a keyword. */
export const searchAttributes = ['InstitutionId', 'EndpointId', 'EventType', 'Outcome'] as const;

const historyRetention = msToTs('30 days');
/** IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD of the server's API. */
const keyword = 2;
const grpcNotFound = 5;
const grpcAlreadyExists = 6;

const hasGrpcCode = (error: unknown, code: number): boolean => isGrpcServiceError(error) && Number(error.code) === code;

/** Lets closed workflows be looked up for 30 days. */
export async function keepHistories(connection: Connection, namespace: string): Promise<void> {
  await connection.workflowService.updateNamespace({
    namespace,
    config: { workflowExecutionRetentionTtl: historyRetention },
  });
}

/** Makes the search attributes known in the namespace; those that are known stay as they are. */
export async function registerSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  for (const name of searchAttributes) {
    try {
      await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: { [name]: keyword } });
    } catch (error) {
      if (!hasGrpcCode(error, grpcAlreadyExists)) throw error;
    }
  }
}

/** Makes the namespace when the server lacks it, with the search attributes. An existing one keeps its retention. */
export async function requireNamespace(connection: Connection, namespace: string): Promise<void> {
  try {
    await connection.workflowService.describeNamespace({ namespace });
  } catch (error) {
    if (!hasGrpcCode(error, grpcNotFound)) throw error;
    await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: historyRetention });
  }
  await registerSearchAttributes(connection, namespace);
}
