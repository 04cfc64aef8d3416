import { isDeepStrictEqual } from 'node:util';
import { hasAttempts, highestScore, lockExamAlone, writeExam, type ExamRow } from '../../db/repositories/exams';
import type { Transaction } from '../context';
import { DomainError, notFound } from '../errors';
import { moveEnds } from '../attempts/moveEnds';
import { requireOwner } from '../faculty/requireOwner';
import { announceIfPublished, replaceAssignments } from './assignments';
import { admitCodeSpec, isUnchanged, useFiles, type CodeSpecInput } from './codeSpec';
import { takeExam } from './takeExam';
import { over, type Given, type WritableExam } from './writable';

/** The fields of an exam that a PATCH may carry; those left out stay. */
export type ExamChanges = Given<WritableExam> & { group_ids?: string[] | undefined };

/** What may still change once an exam is closed. */
const changeableWhenClosed: ReadonlySet<string> = new Set<keyof ExamChanges>([
  'title',
  'due_date',
  'allow_late_submission',
  'late_penalty_percentage',
]);

function requireChangeable({ status }: ExamRow, changes: ExamChanges): void {
  const refused = Object.entries(changes).filter(([field, value]) => value !== undefined && !changeableWhenClosed.has(field)).map(([field]) => field);
  if (status === 'closed' && refused.length > 0) {
    throw new DomainError('conflict', `The exam is closed: ${refused.join(', ')} cannot change any more.`);
  }
}

async function requireAboveScores(tx: Transaction, { id, max_score: before }: ExamRow, maxScore: number): Promise<void> {
  if (maxScore >= before) return;
  const given = await highestScore(tx, id);
  if (given !== null && given > maxScore) throw new DomainError('conflict', `A score of ${given} has been given; max_score cannot fall below it.`);
}

async function changeSpec(tx: Transaction, { id, code_spec: before }: ExamRow, wanted: CodeSpecInput | null): Promise<ExamRow['code_spec']> {
  if (isUnchanged(before, wanted)) return before;
  if (await hasAttempts(tx, id)) throw new DomainError('conflict', 'An attempt has started: code_spec cannot change any more.');
  const spec = wanted === null ? null : await admitCodeSpec(tx, wanted);
  await useFiles(tx, id, spec);
  return spec;
}

/** The exam as the changes make it; each field that is given is checked against the exam as it is. */
async function changed(tx: Transaction, exam: ExamRow, changes: ExamChanges): Promise<ExamRow> {
  const { faculty_id, max_score, code_spec, proctoring, ai_policy, group_ids: _groups, ...plain } = changes;
  if (max_score !== undefined) await requireAboveScores(tx, exam, max_score);
  return {
    ...over(exam, plain),
    faculty_id: faculty_id === undefined ? exam.faculty_id : await requireOwner(tx, faculty_id),
    max_score: max_score ?? exam.max_score,
    proctoring: over(exam.proctoring, proctoring),
    ai_policy: over(exam.ai_policy, ai_policy),
    code_spec: code_spec === undefined ? exam.code_spec : await changeSpec(tx, exam, code_spec),
  };
}

/** Whether attempts end at another moment. */
const endsDiffer = (before: ExamRow, after: ExamRow): boolean =>
  (['due_date', 'time_limit_minutes', 'allow_late_submission'] as const).some((term) => !isDeepStrictEqual(before[term], after[term]));

/** A change of the coding spec waits for attempts that are just beginning; any other lets them go on. */
async function take(tx: Transaction, id: string, { code_spec }: ExamChanges): Promise<ExamRow> {
  if (code_spec === undefined) return takeExam(tx, id);
  const exam = await lockExamAlone(tx, id);
  if (exam === undefined) throw notFound('exam');
  return exam;
}

/**
 * Changes an exam (section Exam, PATCH); `group_ids` replaces the assignments, and of a published exam the new ones are
 * announced. What is so already changes nothing. `conflict` for what a closed exam keeps, a `max_score` below a score
 * given, a coding spec once an attempt has started; `invalid_faculty`, `not_found` and `validation_error` as on creation.
 * Attempts in progress end by the new terms.
 */
export async function updateExam(tx: Transaction, id: string, changes: ExamChanges): Promise<void> {
  const exam = await take(tx, id, changes);
  requireChangeable(exam, changes);
  const after = await changed(tx, exam, changes);
  const reassigned = changes.group_ids !== undefined && (await replaceAssignments(tx, id, changes.group_ids));
  if (reassigned || !isDeepStrictEqual(after, exam)) await writeExam(tx, { ...after, updated_at: tx.now });
  if (exam.status === 'published' && endsDiffer(exam, after)) await moveEnds(tx, id);
  if (reassigned) await announceIfPublished(tx, exam);
}
