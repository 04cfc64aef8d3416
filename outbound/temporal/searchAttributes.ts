import { grpcCodeOf } from './grpcCode';
import type { Connection } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import type { NativeConnection } from '@temporalio/worker';
import { searchAttributes } from '../../workflows/contract';

/** The names of the search attributes; each is a keyword. */
export const searchAttributeNames = Object.values(searchAttributes).map(({ name }) => name);

const keyword = temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;
const grpcAlreadyExists = 6;

/**
 * Registers our search attributes in the namespace; existing ones stay unchanged. Does not list them first, which the
 * time-skipping server does not support.
 */
export async function registerSearchAttributes(connection: Connection | NativeConnection, namespace: string): Promise<void> {
  for (const name of searchAttributeNames) {
    try {
      await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: { [name]: keyword } });
    } catch (error) {
      if (grpcCodeOf(error) !== grpcAlreadyExists) throw error;
    }
  }
}
