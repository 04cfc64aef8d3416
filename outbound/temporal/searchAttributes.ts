import type { Client, Connection } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { searchAttributes } from '../../workflows/contract';
import { grpcCodeOf, grpcCodes, isRefused } from './grpcCode';
import type { NamespacePartOutcome } from './namespaceParts';

/** The names of the search attributes; each is a keyword. */
export const searchAttributeNames = Object.values(searchAttributes).map(({ name }) => name);

const keyword = temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;

/**
 * Registers our search attributes in the namespace; existing ones stay unchanged. Does not list them first, which the
 * time-skipping server does not support.
 */
export async function registerSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  for (const name of searchAttributeNames) {
    try {
      await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: { [name]: keyword } });
    } catch (error) {
      if (grpcCodeOf(error) !== grpcCodes.alreadyExists) throw error;
    }
  }
}

/** Whether the namespace knows a search attribute as a keyword: an identity that may list workflows may ask so, on Temporal Cloud too. */
async function isKnown({ workflowService, options: { namespace } }: Client, name: string): Promise<boolean> {
  try {
    await workflowService.countWorkflowExecutions({ namespace, query: `${name} = 'none'` });
    return true;
  } catch (error) {
    if (grpcCodeOf(error) === grpcCodes.invalidArgument || isRefused(error)) return false;
    throw error;
  }
}

/** Makes a search attribute of the contract if it is missing. Where Temporal refuses to, the outcome is `missing`. */
export async function ensureSearchAttribute(client: Client, name: string): Promise<NamespacePartOutcome> {
  if (await isKnown(client, name)) return 'present';
  try {
    await client.connection.operatorService.addSearchAttributes({ namespace: client.options.namespace, searchAttributes: { [name]: keyword } });
    return 'made';
  } catch (error) {
    if (grpcCodeOf(error) === grpcCodes.alreadyExists) return 'present';
    if (isRefused(error)) return 'missing';
    throw error;
  }
}
