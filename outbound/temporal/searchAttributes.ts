import type { Connection } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import { searchAttributes } from '../../workflows/contract';

const keyword = 2;

/** Makes the namespace know our search attributes; those it knows already stay. */
export async function registerSearchAttributes(connection: Connection | NativeConnection, namespace: string): Promise<void> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.values(searchAttributes)
    .map(({ name }) => name)
    .filter((name) => !Object.hasOwn(customAttributes ?? {}, name));
  if (missing.length === 0) return;
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(missing.map((name) => [name, keyword])),
  });
}
