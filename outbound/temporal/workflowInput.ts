import { decodeArrayFromPayloads } from '@temporalio/common/lib/internal-non-workflow';
import type { Domain } from '../../domain/context';
import type { TemporalConnection } from './engine';

/** Timeout of reading the first event of a workflow, in ms: a page waits for it. */
const withinMs = 1_000;

/** Reads from Temporal what a workflow was started with, which is in the first event of its history. */
export function workflowInput({ client, withDeadline }: TemporalConnection): Domain['readWorkflowInput'] {
  const { namespace, loadedDataConverter } = client.options;
  return async (workflowId) => {
    const read = (): ReturnType<typeof client.workflowService.getWorkflowExecutionHistory> =>
      client.workflowService.getWorkflowExecutionHistory({ namespace, execution: { workflowId }, maximumPageSize: 1 });
    const found = await withDeadline(withinMs, read).catch(() => undefined);
    const input = found?.history?.events?.[0]?.workflowExecutionStartedEventAttributes?.input;
    // Encrypted under a key that is no longer known it is not readable.
    const [argument] = await decodeArrayFromPayloads(loadedDataConverter, input?.payloads).catch(() => []);
    return argument;
  };
}
