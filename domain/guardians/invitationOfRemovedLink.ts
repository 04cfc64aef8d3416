import type { Domain } from '../context';
import { findNewestWorkflow } from '../newestWorkflow';
import { guardianInvitationWorkflowId } from '../outbox/workflows';
import type { WorkflowView } from '../workflowView';

/** More invitations of one link are not looked for. */
const maxInvitations = 20;

/** Returns the workflow of the newest invitation of a guardian's link whose row is gone, as Temporal has it; undefined if it has none. `internal_error` while Temporal does not respond. */
export async function findInvitationOfRemovedLink(domain: Pick<Domain, 'viewWorkflow'>, linkId: string, epochs: readonly string[]): Promise<WorkflowView | undefined> {
  let newest: WorkflowView | undefined;
  for (let number = 1; number <= maxInvitations; number += 1) {
    const found = await findNewestWorkflow(domain, guardianInvitationWorkflowId(linkId, number), epochs);
    if (found === undefined) return newest;
    newest = found;
  }
  return newest;
}
