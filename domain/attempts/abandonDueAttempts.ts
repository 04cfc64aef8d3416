import { abandonAttempts, lockExamStatusForShare, lockExpiryRun, planExpiryRun, type ExpiryRun } from '../../db/repositories/attempts/expiries';
import type { Transaction } from '../context';

/** Attempts that one transaction abandons. */
const abandonChunk = 200;

/**
 * How it stands with an exam's attempts: there may be `more` to abandon now; it `waits` for the next, `waiting` of them
 * in all; nothing is left, and the run is `done`; or another run has been put in its place.
 */
export type ExpiryRunState =
  | { state: 'more' | 'done' | 'replaced'; abandoned: number }
  | { state: 'waits'; abandoned: number; waiting: number; nextAt: Date };

/**
 * Abandons one chunk of an exam's attempts whose time has run out; of a closed exam, of all in progress. Attempts
 * that another transaction has locked are left for the next chunk. The run ends
 * with the transaction that finds nothing left to wait for (platform API, attempts).
 */
export async function abandonDueAttempts(tx: Transaction, run: ExpiryRun): Promise<ExpiryRunState> {
  const status = await lockExamStatusForShare(tx, run.examId);
  if (status === undefined) return { state: 'replaced', abandoned: 0 };
  const abandoned = await abandonAttempts(tx, run.examId, { of: status, now: tx.now, limit: abandonChunk });
  if (abandoned === abandonChunk) return { state: 'more', abandoned };
  // After the exam and its attempts, as whoever begins one takes them: what began before the lock is seen.
  if (!(await lockExpiryRun(tx, run))) return { state: 'replaced', abandoned };
  const { attempts, next_at: nextAt } = await planExpiryRun(tx, run.examId, { of: status, now: tx.now });
  return nextAt === null ? { state: 'done', abandoned } : { state: 'waits', abandoned, waiting: attempts, nextAt };
}
