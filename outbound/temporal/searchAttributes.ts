import { isGrpcServiceError, type Connection } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import { searchAttributes } from '../../workflows/contract';

/** The names of the search attributes; each is a keyword. */
export const searchAttributeNames = Object.values(searchAttributes).map(({ name }) => name);

/** IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD of the server's API. */
const keyword = 2;
const grpcAlreadyExists = 6;

/**
 * Makes the namespace know our search attributes; those that are known stay as they are. Asks for no list of them,
 * which the time-skipping server cannot give.
 */
export async function registerSearchAttributes(connection: Connection | NativeConnection, namespace: string): Promise<void> {
  for (const name of searchAttributeNames) {
    try {
      await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: { [name]: keyword } });
    } catch (error) {
      if (!isGrpcServiceError(error) || Number(error.code) !== grpcAlreadyExists) throw error;
    }
  }
}
