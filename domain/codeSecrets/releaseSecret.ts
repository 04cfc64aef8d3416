import { recordRelease, readCodeSecret, stampRelease } from '../../db/repositories/codeSecrets/codeSecrets';
import { lockExamOfAttemptForShare, lockOwnAttempt, type AttemptRow } from '../../db/repositories/attempts/attempts';
import { canSeeExam } from '../../db/repositories/exams/studentExams';
import { requireInProgress, requireExamOpen } from '../attempts/timeRules';
import type { Transaction } from '../context';
import { DomainError, notFound } from '../errors';

async function openSecret(tx: Transaction, examId: string): Promise<string> {
  const sealed = await readCodeSecret(tx, examId);
  if (sealed === undefined) throw notFound('exam');
  if (sealed === null) throw new DomainError('no_secret', 'No hidden-test key is set for this exam.');
  return tx.secrets.open(sealed);
}

/**
 * Hands an exam's hidden-test key to an integration that re-runs hidden tests itself; each time is kept on record with
 * the API key's id. `no_secret` without a key, `not_found` for an unknown exam.
 */
export async function releaseSecret(tx: Transaction, examId: string, apiKeyId: string): Promise<string> {
  const key = await openSecret(tx, examId);
  await recordRelease(tx, examId, { attempt_id: null, student_id: null, released_by: apiKeyId, released_at: tx.now });
  return key;
}

/** `conflict` where an attempt is over, or has had its key. */
function requireReleasable(attempt: AttemptRow, now: Date): void {
  requireInProgress(attempt, now);
  if (attempt.hidden_released_at !== null) throw new DomainError('conflict', 'The hidden-test key was released to this attempt already.');
}

/**
 * Hands the hidden-test key to a student's attempt in progress, once: stamps `hidden_released_at` and the attempt's
 * feed. `conflict` the second time, when the attempt is over, and when the exam takes nothing more, `no_secret` without a key, `not_found` for an attempt
 * that is not the student's, and for an exam that they see no more (section code_spec).
 */
export async function releaseToAttempt(tx: Transaction, attemptId: string, studentId: string): Promise<string> {
  const exam = await lockExamOfAttemptForShare(tx, attemptId, studentId);
  const attempt = await lockOwnAttempt(tx, attemptId, studentId);
  if (exam === undefined || attempt === undefined) throw notFound('attempt');
  requireReleasable(attempt, tx.now);
  requireExamOpen(exam, tx.now);
  if (!(await canSeeExam(tx, studentId, attempt.exam_id))) throw notFound('exam');
  const key = await openSecret(tx, attempt.exam_id);
  await stampRelease(tx, attempt.id, tx.now);
  await recordRelease(tx, attempt.exam_id, { attempt_id: attempt.id, student_id: studentId, released_by: 'app', released_at: tx.now });
  return key;
}
