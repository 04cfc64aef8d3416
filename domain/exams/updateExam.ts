import { isDeepStrictEqual } from 'node:util';
import { findCodeSpec, hasAttempts, highestScore, writeCodeSpec, writeExam, type ExamRow } from '../../db/repositories/exams/exams';
import type { Transaction } from '../context';
import { DomainError } from '../errors';
import { rescheduleExpiries } from '../attempts/rescheduleExpiries';
import { requireOwner } from '../faculty/requireOwner';
import { replaceAssignments } from './assignments';
import { validateCodeSpec, isSpecUnchanged, replaceSpecFiles, type CodeSpecInput } from './codeSpec';
import { announceAssignments } from './notices/announceAssignments';
import { requireLockedExam, requireExclusivelyLockedExam } from './requireExam';
import { requireCodeSecret } from './requireCodeSecret';
import { mergeDefined, type OptionalFields, type WritableExam } from './writableExam';

/** The fields of an exam that a PATCH may carry; those left out stay. */
export type ExamChanges = OptionalFields<WritableExam> & { group_ids?: string[] | undefined };

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

async function requireMaxScoreCoversGrades(tx: Transaction, { id, max_score: before }: ExamRow, maxScore: number): Promise<void> {
  if (maxScore >= before) return;
  const given = await highestScore(tx, id);
  if (given !== null && given > maxScore) throw new DomainError('conflict', `A score of ${given} has been given; max_score cannot fall below it.`);
}

/** Gives an exam that is locked alone this coding spec; false when it has it already. */
async function changeSpec(tx: Transaction, exam: ExamRow, wanted: CodeSpecInput | null): Promise<boolean> {
  const { id } = exam;
  if (isSpecUnchanged(await findCodeSpec(tx, id), wanted)) return false;
  if (await hasAttempts(tx, id)) throw new DomainError('conflict', 'An attempt has started: code_spec cannot change any more.');
  const spec = wanted === null ? null : await validateCodeSpec(tx, wanted);
  if (exam.status === 'published') requireCodeSecret(spec, exam, 'change');
  await writeCodeSpec(tx, id, spec);
  await replaceSpecFiles(tx, id, spec);
  return true;
}

/** The exam's terms as the changes make them; each field that is given is checked against the exam as it is. */
async function applyChanges(tx: Transaction, exam: ExamRow, changes: ExamChanges): Promise<ExamRow> {
  const { faculty_id, max_score, proctoring, ai_policy, code_spec: _spec, group_ids: _groups, ...plain } = changes;
  if (max_score !== undefined) await requireMaxScoreCoversGrades(tx, exam, max_score);
  return {
    ...mergeDefined(exam, plain),
    faculty_id: faculty_id === undefined ? exam.faculty_id : await requireOwner(tx, faculty_id),
    max_score: max_score ?? exam.max_score,
    proctoring: mergeDefined(exam.proctoring, proctoring),
    ai_policy: mergeDefined(exam.ai_policy, ai_policy),
  };
}

/** Whether attempts end at another moment. */
const affectsExpiry = (before: ExamRow, after: ExamRow): boolean =>
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
  const exam = await (code_spec === undefined ? requireLockedExam : requireExclusivelyLockedExam)(tx, id);
  requireChangeable(exam, changes);
  const after = await applyChanges(tx, exam, changes);
  const specChanged = code_spec !== undefined && (await changeSpec(tx, exam, code_spec));
  const assignmentsChanged = group_ids !== undefined && (await replaceAssignments(tx, id, group_ids));
  if (specChanged || assignmentsChanged || !isDeepStrictEqual(after, exam)) await writeExam(tx, { ...after, updated_at: tx.now });
  if (exam.status === 'published' && affectsExpiry(exam, after)) await rescheduleExpiries(tx, id);
  if (assignmentsChanged) await announceAssignments(tx, id);
}
