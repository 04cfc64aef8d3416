import { isDeepStrictEqual } from 'node:util';
import { findCodeSpec, hasAttempts, highestScore, writeCodeSpec, writeExam, type ExamRow } from '../../db/repositories/exams/exams';
import type { Transaction } from '../context';
import { DomainError } from '../errors';
import { moveEnds } from '../attempts/rescheduleExpiries';
import { requireOwner } from '../faculty/requireOwner';
import { replaceAssignments } from './assignments';
import { admitCodeSpec, isUnchanged, useFiles, type CodeSpecInput } from './codeSpec';
import { announceAssignments } from './notices/announceAssignments';
import { takeExam, takeExamAlone } from './requireExam';
import { requireSecret } from './requireCodeSecret';
import { over, type Given, type WritableExam } from './writableExam';

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

/** Gives an exam that is locked alone this coding spec; false when it has it already. */
async function changeSpec(tx: Transaction, exam: ExamRow, wanted: CodeSpecInput | null): Promise<boolean> {
  const { id } = exam;
  if (isUnchanged(await findCodeSpec(tx, id), wanted)) return false;
  if (await hasAttempts(tx, id)) throw new DomainError('conflict', 'An attempt has started: code_spec cannot change any more.');
  const spec = wanted === null ? null : await admitCodeSpec(tx, wanted);
  if (exam.status === 'published') requireSecret(spec, exam, 'change');
  await writeCodeSpec(tx, id, spec);
  await useFiles(tx, id, spec);
  return true;
}

/** The exam's terms as the changes make them; each field that is given is checked against the exam as it is. */
async function changed(tx: Transaction, exam: ExamRow, changes: ExamChanges): Promise<ExamRow> {
  const { faculty_id, max_score, proctoring, ai_policy, code_spec: _spec, group_ids: _groups, ...plain } = changes;
  if (max_score !== undefined) await requireAboveScores(tx, exam, max_score);
  return {
    ...over(exam, plain),
    faculty_id: faculty_id === undefined ? exam.faculty_id : await requireOwner(tx, faculty_id),
    max_score: max_score ?? exam.max_score,
    proctoring: over(exam.proctoring, proctoring),
    ai_policy: over(exam.ai_policy, ai_policy),
  };
}

/** Whether attempts end at another moment. */
const endsDiffer = (before: ExamRow, after: ExamRow): boolean =>
  (['due_date', 'time_limit_minutes', 'allow_late_submission'] as const).some((term) => !isDeepStrictEqual(before[term], after[term]));

/**
 * Changes an exam (section Exam, PATCH); `group_ids` replaces the assignments, and of a published exam the new ones are
 * announced. What is so already changes nothing. `conflict` for what a closed exam keeps, a `max_score` below a score
 * given, a coding spec once an attempt has started, and hidden tests of a published one without their secret; `invalid_faculty`, `not_found` and `validation_error` as on creation.
 * Attempts in progress end by the new terms.
 */
export async function updateExam(tx: Transaction, id: string, changes: ExamChanges): Promise<void> {
  const { code_spec, group_ids } = changes;
  // A change of the coding spec waits for attempts that are just beginning; any other lets them go on.
  const exam = await (code_spec === undefined ? takeExam : takeExamAlone)(tx, id);
  requireChangeable(exam, changes);
  const after = await changed(tx, exam, changes);
  const respecified = code_spec !== undefined && (await changeSpec(tx, exam, code_spec));
  const reassigned = group_ids !== undefined && (await replaceAssignments(tx, id, group_ids));
  if (respecified || reassigned || !isDeepStrictEqual(after, exam)) await writeExam(tx, { ...after, updated_at: tx.now });
  if (exam.status === 'published' && endsDiffer(exam, after)) await moveEnds(tx, id);
  if (reassigned) await announceAssignments(tx, id);
}
