import { holdAttachments } from '../../db/repositories/attemptFiles';
import { endAttempt, holdExamOfAttempt, lockOwnAttempt, type AttemptedExamRow, type AttemptRow } from '../../db/repositories/examAttempts';
import { insertSubmission, nextVersion, type NewSubmission } from '../../db/repositories/submissionWrites';
import type { Transaction } from '../context';
import { invalid, notFound, type Issue } from '../errors';
import { newId } from '../ids';
import { requireUsageOf, type AiUsage } from './aiUsage';
import { isLate, requireInProgress, requireOpen } from './terms';
import { attemptTransitions } from './transitions';

/** What a student hands in; its form is checked already, and no two attachments have the same name. */
export interface HandedIn {
  text?: string | null | undefined;
  attachments?: readonly { file: { id: string }; name: string }[] | undefined;
  ai_usage_data?: AiUsage | null | undefined;
}

/** The names that a coding exam's attachments have (section Submission). */
const codingAttachments = ['workspace.zip', 'transcript.json', 'test-results.json'] as const;

const isCodingAttachment = (name: string): boolean => codingAttachments.some((known) => known === name);

async function requireAttachments(tx: Transaction, attempt: AttemptRow, { app }: AttemptedExamRow, given: NonNullable<HandedIn['attachments']>): Promise<void> {
  const files = await holdAttachments(tx, attempt.id, given.map(({ file }) => file.id));
  const issues = given.flatMap(({ file, name }, nth): Issue[] => [
    ...(files.has(file.id) ? [] : [{ path: `attachments.${nth}.file.id`, message: 'names no stored attachment of this attempt' }]),
    ...(app === 'svc' || isCodingAttachment(name)
      ? []
      : [{ path: `attachments.${nth}.name`, message: `must be one of ${codingAttachments.join(', ')} in a coding exam` }]),
  ]);
  if (issues.length > 0) throw invalid(...issues);
}

/**
 * Submits a student's attempt in progress, once: the next version of their submission of the exam, late after the due
 * date; emits `exam.submitted` (section States, Submission). `not_found` for an attempt that is not theirs, `conflict`
 * for one that is over and for an exam that takes nothing more, `validation_error` for attachments that are not the
 * attempt's and for `ai_usage_data` of the other kind of exam.
 */
export async function submitAttempt(tx: Transaction, attemptId: string, studentId: string, handedIn: HandedIn): Promise<NewSubmission> {
  const { text = null, attachments = [], ai_usage_data: usage = null } = handedIn;
  const exam = await holdExamOfAttempt(tx, attemptId, studentId);
  const attempt = await lockOwnAttempt(tx, attemptId, studentId);
  if (exam === undefined || attempt === undefined) throw notFound('attempt');
  requireInProgress(attempt, tx.now);
  requireOpen(exam, tx.now);
  requireUsageOf(exam.app, usage);
  await requireAttachments(tx, attempt, exam, attachments);
  const submission: NewSubmission = {
    id: newId('sub'),
    exam_id: exam.id,
    student_id: studentId,
    attempt_id: attempt.id,
    version: await nextVersion(tx, exam.id, studentId),
    is_late: isLate(exam, tx.now),
    text,
    ai_usage_data: usage,
    submitted_at: tx.now,
  };
  await insertSubmission(tx, submission, attachments.map(({ file, name }) => ({ fileId: file.id, name })));
  await endAttempt(tx, attempt.id, {
    status: attemptTransitions.in_progress.submit,
    at: tx.now,
    event: { id: 'service:submitted', type: 'submitted', at: tx.now, detail: { submission_id: submission.id } },
  });
  const { id, exam_id, student_id, version, is_late } = submission;
  tx.emit('exam.submitted', { submission_id: id, exam_id, student_id, version, is_late });
  return submission;
}
