import type { Domain } from './context';
import { possibleWorkflowIds } from './outbox/workflows';
import type { WorkflowView } from './workflowView';

/** Returns the workflow with an id, in the newest epoch of the database that has one; undefined if none has. `internal_error` while Temporal does not respond. */
export async function findNewestWorkflow({ viewWorkflow }: Pick<Domain, 'viewWorkflow'>, id: string, epochs: readonly string[]): Promise<WorkflowView | undefined> {
  for (const workflowId of possibleWorkflowIds(id, epochs).toReversed()) {
    const workflow = await viewWorkflow(workflowId);
    if (workflow !== undefined) return workflow;
  }
  return undefined;
}
