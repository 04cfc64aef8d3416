import { claimOpenWorkflows, releaseOpenWorkflows, removeEndedWorkflows, startWorkflowsAgain } from '../../db/repositories/outbox/openWorkflows';
import { readEpochs } from '../../db/repositories/outbox/outbox';
import type { Domain } from '../context';
import { currentWorkflowId } from './workflows';

/** What the engine knows of a workflow: `missing` if it never had it, or has lost it. */
export type WorkflowPresence = 'running' | 'ended' | 'missing';

/** Returns what the engine knows of a workflow; rejects while the engine does not respond. */
export type FindWorkflow = (workflowId: string) => Promise<WorkflowPresence>;

/** How long after its start, and after each check, an open workflow is checked again, in ms. */
const checkEveryMs = 15 * 60_000;

/** Maximum number of open workflows that one pass of a worker checks. */
const maxChecksPerPass = 600;

/** Workflows that are checked at the same time. */
const chunkSize = 20;

/** The result of a pass: how many were checked, and the types of those that were started again. */
interface LostWorkflowPass {
  checked: number;
  restarted: string[];
  /** Why the engine said nothing of single workflows, of which it is asked again later. */
  unknown: unknown[];
}

/**
 * Checks open workflows that are due, the longest waiting first: those that have ended are forgotten, and those that the engine does not
 * have are started again by the outbox, under the same id, which the engine accepts once. Rejects if the engine says nothing of any, as
 * while it does not respond.
 */
export async function restartLostWorkflows({ database: { sql }, onCommitted }: Pick<Domain, 'database' | 'onCommitted'>, find: FindWorkflow): Promise<LostWorkflowPass> {
  const pass: LostWorkflowPass = { checked: 0, restarted: [], unknown: [] };
  while (pass.checked < maxChecksPerPass) {
    const claimed = await claimOpenWorkflows(sql, chunkSize, checkEveryMs);
    const { found, failures } = await presenceOf(claimed, await readEpochs(sql), find);
    pass.unknown.push(...failures);
    if (failures.length > 0 && failures.length === claimed.length) {
      await releaseOpenWorkflows(sql, claimed);
      if (pass.checked + claimed.length === pass.unknown.length) throw failures[0];
      break;
    }
    const those = (presence: WorkflowPresence): string[] => claimed.filter((_id, index) => found[index] === presence);
    await removeEndedWorkflows(sql, those('ended'));
    const restarted = await startWorkflowsAgain(sql, those('missing'));
    if (restarted.length > 0) onCommitted(['workflows'], {});
    pass.restarted.push(...restarted);
    pass.checked += claimed.length;
    if (claimed.length < chunkSize) break;
  }
  return pass;
}

/** What the engine says of each workflow, undefined where it fails; and these failures. */
async function presenceOf(workflowIds: readonly string[], epochs: readonly string[], find: FindWorkflow): Promise<{ found: (WorkflowPresence | undefined)[]; failures: unknown[] }> {
  const results = await Promise.allSettled(workflowIds.map((id) => find(currentWorkflowId(id, epochs))));
  return {
    found: results.map((result) => (result.status === 'fulfilled' ? result.value : undefined)),
    failures: results.filter((result) => result.status === 'rejected').map(({ reason }): unknown => reason),
  };
}
