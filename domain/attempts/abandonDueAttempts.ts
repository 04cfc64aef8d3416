import { abandonAttempts, lockExamStatusForShare, lockExpiryRun, planExpiryRun, type ExpiryRun } from '../../db/repositories/attempts/expiries';
import type { Transaction } from '../context';

/** Maximum number of attempts that one transaction abandons. */
const abandonChunk = 200;

/**
 * The state of the run that expires an exam's attempts: `more` are due now; it `waits` for the next of `waiting`
 * attempts; it is `done`; or another run has `replaced` it.
 */
export type ExpiryRunState =
  | { state: 'more' | 'done' | 'replaced'; abandoned: number }
  | { state: 'waits'; abandoned: number; waiting: number; nextAt: Date };

/**
 * Abandons one chunk of an exam's attempts whose time is over, or of all attempts in progress if the exam is closed. Attempts
 * that another transaction has locked are left for the next call. The run ends with the transaction that finds no attempt
 * left (platform API, attempts).
 */
export async function abandonDueAttempts(tx: Transaction, run: ExpiryRun): Promise<ExpiryRunState> {
  const status = await lockExamStatusForShare(tx, run.examId);
  if (status === undefined) return { state: 'replaced', abandoned: 0 };
  const abandoned = await abandonAttempts(tx, run.examId, { of: status, now: tx.now, limit: abandonChunk });
  if (abandoned === abandonChunk) return { state: 'more', abandoned };
  // Locked after the exam and its attempts, in the order of startAttempt: attempts started before the lock are visible.
  if (!(await lockExpiryRun(tx, run))) return { state: 'replaced', abandoned };
  const { attempts, next_at: nextAt } = await planExpiryRun(tx, run.examId, { of: status, now: tx.now });
  return nextAt === null ? { state: 'done', abandoned } : { state: 'waits', abandoned, waiting: attempts, nextAt };
}
