import { WorkflowNotFoundError } from '@temporalio/client';
import type { FindWorkflow } from '../../domain/outbox/restartLostWorkflows';
import type { TemporalConnection } from './engine';

/** Timeout of one look at Temporal, in ms. */
const findWithinMs = 2_000;

/** A paused workflow goes on once it is resumed. */
const open: ReadonlySet<string> = new Set(['RUNNING', 'PAUSED', 'CONTINUED_AS_NEW']);

/** Returns what looks a workflow up in Temporal. A namespace that is missing is an error: it says nothing of its workflows. */
export function findWorkflow(temporal: TemporalConnection): FindWorkflow {
  return async (workflowId) => {
    try {
      const { status } = await temporal.withDeadline(findWithinMs, () => temporal.client.workflow.getHandle(workflowId).describe());
      return open.has(status.name) ? 'running' : 'ended';
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return 'missing';
      throw error;
    }
  };
}
