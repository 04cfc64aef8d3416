import { lockAttachments } from '../../db/repositories/attempts/files';
import { endAttempt, lockExamOfAttemptForShare, lockOwnAttempt, type AttemptedExamRow, type AttemptRow } from '../../db/repositories/attempts/attempts';
import type { ExamApp } from '../../db/repositories/exams/columns';
import { insertSubmission, nextVersion, type NewSubmission } from '../../db/repositories/submissions/writes';
import type { Transaction } from '../context';
import { validationError, notFound, type Issue } from '../errors';
import { newId } from '../ids';
import { requireUsageForApp, type AiUsage } from './aiUsage';
import { isLate, requireInProgress, requireExamOpen } from './timeRules';
import { attemptTransitions } from './transitions';

/** What a student submits; its form is already validated. */
export interface SubmissionInput {
  text?: string | null | undefined;
  attachments?: readonly { file: { id: string }; name: string }[] | undefined;
  ai_usage_data?: AiUsage | null | undefined;
}

/** The names of a coding exam's attachments (section Submission). */
const codingAttachments = ['workspace.zip', 'transcript.json', 'test-results.json'] as const;

const isCodingAttachment = (name: string): boolean => codingAttachments.some((known) => known === name);

/** Whether a value occurs earlier in the list. */
const isRepeated = (values: readonly string[], nth: number): boolean => values.indexOf(values[nth] ?? '') < nth;

/** Returns the problem with the name of one attachment; undefined if it is valid. */
function nameProblem(app: ExamApp, names: readonly string[], nth: number): string | undefined {
  if (isRepeated(names, nth)) return 'is already the name of another attachment';
  return app === 'svc' || isCodingAttachment(names[nth] ?? '') ? undefined : `must be one of ${codingAttachments.join(', ')} in a coding exam`;
}

/** Returns the problem with the file of one attachment, given the `known` files; undefined if it is valid. */
function fileProblem(known: ReadonlySet<string>, ids: readonly string[], nth: number): string | undefined {
  if (!known.has(ids[nth] ?? '')) return 'names no stored attachment of this attempt';
  return isRepeated(ids, nth) ? 'is already attached under another name' : undefined;
}

const issueAt = (path: string, message: string | undefined): Issue[] => (message === undefined ? [] : [{ path, message }]);

async function requireAttachments(tx: Transaction, attempt: AttemptRow, { app }: AttemptedExamRow, given: NonNullable<SubmissionInput['attachments']>): Promise<void> {
  const [ids, names] = [given.map(({ file }) => file.id), given.map(({ name }) => name)];
  const known = await lockAttachments(tx, attempt.id, ids);
  const issues = given.flatMap((_one, nth) => [
    ...issueAt(`attachments.${nth}.file.id`, fileProblem(known, ids, nth)),
    ...issueAt(`attachments.${nth}.name`, nameProblem(app, names, nth)),
  ]);
  if (issues.length > 0) throw validationError(...issues);
}

/**
 * Submits a student's attempt in progress, once: creates the next version of their submission, marked late after the due
 * date; emits `exam.submitted` (section States, Submission). `not_found` for an attempt of another student, `conflict`
 * for one that is over and for an exam that accepts no more submissions, `validation_error` for attachments that are
 * repeated or not the attempt's, and for `ai_usage_data` of the other kind of exam.
 */
export async function submitAttempt(tx: Transaction, attemptId: string, studentId: string, input: SubmissionInput): Promise<NewSubmission> {
  const { text = null, attachments = [], ai_usage_data: usage = null } = input;
  const exam = await lockExamOfAttemptForShare(tx, attemptId, studentId);
  const attempt = await lockOwnAttempt(tx, attemptId, studentId);
  if (exam === undefined || attempt === undefined) throw notFound('attempt');
  requireInProgress(attempt, tx.now);
  requireExamOpen(exam, tx.now);
  requireUsageForApp(exam.app, usage);
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
