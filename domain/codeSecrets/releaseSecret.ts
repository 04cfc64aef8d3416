import { recordRelease, readCodeSecret, stampRelease } from '../../db/repositories/codeSecrets/codeSecrets';
import { lockExamOfAttemptForShare, lockOwnAttempt, type AttemptRow } from '../../db/repositories/attempts/attempts';
import { canSeeExam } from '../../db/repositories/exams/studentExams';
import { requireInProgress, requireExamOpen } from '../attempts/timeRules';
import type { Transaction } from '../context';
import { DomainError, notFound, requireFound } from '../errors';
import { hiddenKeyPlace } from './hiddenKeyPlace';

async function openSecret(tx: Transaction, examId: string): Promise<string> {
  const sealed = requireFound(await readCodeSecret(tx, examId), 'exam');
  if (sealed === null) throw new DomainError('no_secret', 'No hidden-test key is set for this exam: PUT /v1/exams/{id}/code-secret sets it.');
  return tx.secrets.open(sealed, hiddenKeyPlace(tx, examId));
}

/**
 * Returns an exam's hidden-test key to an integration that re-runs hidden tests itself; each release is recorded with
 * the API key's id. `no_secret` if no key is set, `not_found` for an unknown exam.
 */
export async function releaseSecret(tx: Transaction, examId: string, apiKeyId: string): Promise<string> {
  const key = await openSecret(tx, examId);
  await recordRelease(tx, examId, { attempt_id: null, student_id: null, released_by: apiKeyId, released_at: tx.now });
  return key;
}

/** `conflict` if an attempt is over or has already received its key. */
function requireReleasable(attempt: AttemptRow, now: Date): void {
  requireInProgress(attempt, now);
  if (attempt.hidden_released_at !== null) throw new DomainError('conflict', 'The hidden-test key was already released to this attempt.');
}

/**
 * Releases the hidden-test key to a student's attempt in progress, once: sets `hidden_released_at` and adds to the
 * attempt's feed. `conflict` the second time, if the attempt is over and if the exam accepts no more submissions;
 * `no_secret` if no key is set; `not_found` for an attempt of another student and for an exam no longer visible to them
 * (section code_spec).
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
