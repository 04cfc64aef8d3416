import { beginErasure } from '../../db/repositories/sandbox/erasure';
import type { Transaction } from '../context';
import { sandboxResetWorkflowId } from '../outbox/workflows';

/**
 * Begins to erase the data of the sandbox; a workflow does it, and until it is done test keys get `conflict`. No-op while a reset
 * is under way.
 */
export async function resetSandbox(tx: Transaction): Promise<void> {
  const reset = await beginErasure(tx, tx.now);
  if (reset === undefined) return;
  const { institutionId } = tx;
  tx.startWorkflow('sandboxReset', sandboxResetWorkflowId(institutionId, reset), { institutionId, reset });
}
