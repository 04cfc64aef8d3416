import { isGrpcServiceError, type Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { searchAttributes } from '../../workflows/contract';

/** The names of the search attributes; each is a keyword. */
export const searchAttributeNames = Object.values(searchAttributes).map(({ name }) => name);

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

/**
 * Makes the search attributes known in the namespace; those that are known stay as they are. Asks for no list of
 * them, which the time-skipping server cannot give.
 */
export async function registerSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  for (const name of searchAttributeNames) {
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
