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
  const within = <Result>(call: () => Promise<Result>): Promise<Result> => temporal.withDeadline(callWithinMs, call);
  return async (institutionIds, reason) => {
    let ended = 0;
    for (const id of institutionIds) {
      const query = `${searchAttributes.institutionId.name} = "${id}" AND ExecutionStatus = "Running" AND WorkflowType != "institutionOffboarding"`;
      const running = temporal.client.workflow.list({ query })[Symbol.asyncIterator]();
      // Each page of the list is a call of its own.
      for (let next = await within(() => running.next()); next.done !== true; next = await within(() => running.next())) {
        const { workflowId, runId } = next.value;
        const handle = temporal.client.workflow.getHandle(workflowId, runId);
        ended += await within(() => handle.terminate(reason)).then(() => 1, zeroIfEnded);
      }
    }
    return ended;
  };
}

function zeroIfEnded(error: unknown): number {
  if (error instanceof WorkflowNotFoundError) return 0;
  throw error;
}
