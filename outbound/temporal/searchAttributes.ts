import type { Client, ConnectionLike } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { searchAttributes } from '../../workflows/contract';
import { grpcCodeOf, grpcCodes, isRefused } from './grpcCode';
import type { NamespacePartOutcome } from './namespaceParts';

/** The names of the search attributes; each is a keyword. */
export const searchAttributeNames = Object.values(searchAttributes).map(({ name }) => name);

const keyword = temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;

/** Makes a search attribute; an existing one stays unchanged. Where Temporal refuses to, the outcome is `missing`. */
async function addSearchAttribute({ operatorService }: ConnectionLike, namespace: string, name: string): Promise<NamespacePartOutcome> {
  try {
    await operatorService.addSearchAttributes({ namespace, searchAttributes: { [name]: keyword } });
    return 'made';
  } catch (error) {
    if (grpcCodeOf(error) === grpcCodes.alreadyExists) return 'present';
    if (isRefused(error)) return 'missing';
    throw error;
  }
}

/**
 * Registers our search attributes in the namespace, where Temporal lets it; existing ones stay unchanged. Does not look for them
 * first, which the time-skipping server does not support.
 */
export async function registerSearchAttributes(connection: ConnectionLike, namespace: string): Promise<void> {
  for (const name of searchAttributeNames) await addSearchAttribute(connection, namespace, name);
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
  return (await isKnown(client, name)) ? 'present' : addSearchAttribute(client.connection, client.options.namespace, name);
}
