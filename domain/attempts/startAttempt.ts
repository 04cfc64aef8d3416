import { endAttempt, lockVisibleExamForShare, insertAttempt, lockLatestAttempt, recordResume, type AttemptedExamRow, type AttemptRow, type LatestAttemptRow } from '../../db/repositories/attempts/attempts';
import type { CodeSpec } from '../../db/repositories/exams/columns';
import type { Caller, Domain, Transaction } from '../context';
import { DomainError, requireFound } from '../errors';
import { newId } from '../ids';
import { transact } from '../transact';
import { abandonment } from './abandonment';
import { scheduleExpiry } from './scheduleExpiry';
import { feedBounds } from './feedTypes';
import { attemptExpiresAt, hasExpired, requireExamOpen } from './timeRules';
import { attemptTransitions, startTransitions, studentExamState, type StudentExamState } from './transitions';

/** An attempt in progress, and the coding spec of its exam. */
export interface StartedAttempt {
  attempt: AttemptRow;
  resumed: boolean;
  codeSpec: CodeSpec | null;
}

async function createAttempt(tx: Transaction, exam: AttemptedExamRow, studentId: string): Promise<AttemptRow> {
  const expires_at = attemptExpiresAt(exam, tx.now);
  const attempt: AttemptRow = {
    id: newId('att'),
    exam_id: exam.id,
    student_id: studentId,
    status: 'in_progress',
    started_at: tx.now,
    expires_at,
    hidden_released_at: null,
    ended_at: null,
  };
  await insertAttempt(tx, attempt);
  if (expires_at !== null) await scheduleExpiry(tx, exam.id, expires_at);
  tx.emit('exam.attempt_started', {
    attempt_id: attempt.id,
    exam_id: exam.id,
    student_id: studentId,
    started_at: attempt.started_at.toISOString(),
    expires_at: expires_at?.toISOString() ?? null,
  });
  return attempt;
}

type Step = (typeof startTransitions)[StudentExamState];

async function startOrResume(tx: Transaction, exam: AttemptedExamRow, studentId: string, latest: LatestAttemptRow | undefined, step: Step): Promise<Omit<StartedAttempt, 'codeSpec'>> {
  if (typeof step === 'object') throw new DomainError('conflict', step.conflict);
  if (step === 'start' || latest === undefined) return { attempt: await createAttempt(tx, exam, studentId), resumed: false };
  await recordResume(tx, latest.id, feedBounds.resumes, tx.now);
  return { attempt: latest, resumed: true };
}

/** Records that an attempt has expired and returns the updated row. */
async function markExpired(tx: Transaction, exam: AttemptedExamRow, latest: LatestAttemptRow): Promise<LatestAttemptRow> {
  const status = attemptTransitions.in_progress.abandon;
  const end = abandonment(latest, exam, tx.now);
  await endAttempt(tx, latest.id, { ...end, status });
  return { ...latest, status, ended_at: end.at };
}

/**
 * Starts or resumes an attempt, as {@link startAttempt} does; returns `expired`, which the caller must commit, if the latest
 * attempt has expired and no other may follow.
 */
export async function startOrResumeAttempt(tx: Transaction, examId: string, studentId: string): Promise<StartedAttempt | 'expired'> {
  const exam = requireFound(await lockVisibleExamForShare(tx, studentId, examId), 'exam');
  const found = await lockLatestAttempt(tx, examId, studentId);
  const expired = found?.status === 'in_progress' && hasExpired(found, tx.now);
  const latest = expired ? await markExpired(tx, exam, found) : found;
  const step = startTransitions[studentExamState(latest)];
  if (expired && typeof step === 'object') return 'expired';
  requireExamOpen(exam, tx.now);
  return { ...(await startOrResume(tx, exam, studentId, latest, step)), codeSpec: exam.code_spec };
}

/** The `conflict` of an attempt that has expired and that no other may follow. */
export const attemptExpired = (): DomainError => new DomainError('conflict', startTransitions.abandoned.conflict);

/**
 * Starts a student's attempt at an exam, or resumes the one in progress (platform API, POST /app/exams/{id}/attempts). A
 * new attempt emits `exam.attempt_started`. `not_found` for an exam that is not visible to the student; `conflict` for a
 * closed exam, an attempt that is over and an exam already submitted, unless the submission was voided or a resubmission
 * was requested after that attempt began.
 */
export async function startAttempt(domain: Domain, caller: Caller, examId: string, studentId: string): Promise<StartedAttempt> {
  const started = await transact(domain, caller, (tx) => startOrResumeAttempt(tx, examId, studentId));
  if (started === 'expired') throw attemptExpired();
  return started;
}
