import { WorkflowNotFoundError } from '@temporalio/client';
import { searchAttributes } from '../../workflows/contract';
import type { TemporalConnection } from './engine';

/** Timeout of one call, in ms. */
const callWithinMs = 10_000;

/** What ends the workflows of institutions. */
export type EndWorkflows = (institutionIds: readonly string[], reason: string) => Promise<number>;

/**
 * Terminates every running workflow of institutions but their offboarding; returns how many. Temporal may list one that has just
 * started a second later. Their histories go after the retention of the namespace; they have ids and counts alone.
 */
export function endWorkflows(temporal: TemporalConnection): EndWorkflows {
  return async (institutionIds, reason) => {
    let ended = 0;
    for (const id of institutionIds) {
      const query = `${searchAttributes.institutionId.name} = "${id}" AND ExecutionStatus = "Running" AND WorkflowType != "institutionOffboarding"`;
      for await (const { workflowId, runId } of temporal.client.workflow.list({ query })) {
        const handle = temporal.client.workflow.getHandle(workflowId, runId);
        ended += await temporal.withDeadline(callWithinMs, () => handle.terminate(reason)).then(() => 1, zeroIfEnded);
      }
    }
    return ended;
  };
}

function zeroIfEnded(error: unknown): number {
  if (error instanceof WorkflowNotFoundError) return 0;
  throw error;
}
