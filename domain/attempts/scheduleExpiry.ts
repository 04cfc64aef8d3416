import { moveExpiryRunEarlier, openExpiryRun } from '../../db/repositories/attempts/expiries';
import type { Transaction } from '../context';
import { attemptExpiryWorkflowId } from '../outbox/workflows';

/** A run that is so late, in ms, has been ended by hand: the next takes its place. */
const staleRunAfterMs = 15 * 60_000;

/** Owes that an exam's attempts are looked at by then: by the run that waits for the exam, or by a new one. */
export async function scheduleExpiry(tx: Transaction, examId: string, by: Date): Promise<void> {
  const opened = await openExpiryRun(tx, examId, by, new Date(tx.now.getTime() - staleRunAfterMs));
  if (opened !== undefined) {
    tx.startWorkflow('attemptExpiry', attemptExpiryWorkflowId(examId, opened), { examId, institutionId: tx.institutionId, run: opened });
    return;
  }
  const run = await moveExpiryRunEarlier(tx, examId, by);
  if (run !== undefined) tx.signalWorkflow('look', attemptExpiryWorkflowId(examId, run), {});
}
