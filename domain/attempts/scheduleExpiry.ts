import { moveExpiryRunEarlier, openExpiryRun } from '../../db/repositories/attempts/expiries';
import type { Transaction } from '../context';
import { attemptExpiryWorkflowId } from '../outbox/workflows';

/** A run overdue by this many ms has been terminated by an operator; a new run replaces it. */
const staleRunAfterMs = 15 * 60_000;

/** Schedules a check of an exam's attempts at the latest at `by`, by the run that waits for the exam or by a new one. */
export async function scheduleExpiry(tx: Transaction, examId: string, by: Date): Promise<void> {
  const opened = await openExpiryRun(tx, examId, by, new Date(tx.now.getTime() - staleRunAfterMs));
  if (opened !== undefined) {
    tx.startWorkflow('attemptExpiry', attemptExpiryWorkflowId(examId, opened), { examId, institutionId: tx.institutionId, run: opened });
    return;
  }
  const run = await moveExpiryRunEarlier(tx, examId, by);
  if (run !== undefined) tx.signalWorkflow('look', attemptExpiryWorkflowId(examId, run), {});
}
