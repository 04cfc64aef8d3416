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

/** The fields of an exam that a PATCH may contain; absent fields stay unchanged. */
export type ExamChanges = OptionalFields<WritableExam> & { group_ids?: string[] | undefined };

/** The fields that can be changed after an exam is closed. */
const changeableWhenClosed: ReadonlySet<string> = new Set<keyof ExamChanges>([
  'title',
  'due_date',
  'allow_late_submission',
  'late_penalty_percentage',
]);

function requireChangeable({ status }: ExamRow, changes: ExamChanges): void {
  const refused = Object.entries(changes).filter(([field, value]) => value !== undefined && !changeableWhenClosed.has(field)).map(([field]) => field);
  if (status === 'closed' && refused.length > 0) {
    throw new DomainError('conflict', `The exam is closed: ${refused.join(', ')} can no longer be changed.`);
  }
}

async function requireMaxScoreCoversGrades(tx: Transaction, { id, max_score: before }: ExamRow, maxScore: number): Promise<void> {
  if (maxScore >= before) return;
  const given = await highestScore(tx, id);
  if (given !== null && given > maxScore) throw new DomainError('conflict', `max_score must be at least ${given}, a score that was already given.`);
}

/** Sets the coding spec of an exclusively locked exam; false if unchanged. */
async function changeSpec(tx: Transaction, exam: ExamRow, wanted: CodeSpecInput | null): Promise<boolean> {
  const { id } = exam;
  if (isSpecUnchanged(await findCodeSpec(tx, id), wanted)) return false;
  if (await hasAttempts(tx, id)) throw new DomainError('conflict', 'code_spec cannot be changed after an attempt has started.');
  const spec = wanted === null ? null : await validateCodeSpec(tx, wanted);
  if (exam.status === 'published') requireCodeSecret(spec, exam, 'change');
  await writeCodeSpec(tx, id, spec);
  await replaceSpecFiles(tx, id, spec);
  return true;
}

/** Returns the exam's fields after the changes; each changed field is validated against the exam. */
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

/** Whether attempts expire at another time. */
const affectsExpiry = (before: ExamRow, after: ExamRow): boolean =>
  (['due_date', 'time_limit_minutes', 'allow_late_submission'] as const).some((term) => !isDeepStrictEqual(before[term], after[term]));

/**
 * Changes an exam (section Exam, PATCH); `group_ids` replaces the assignments, and the new ones of a published exam are
 * announced. No-op if unchanged. `conflict` for fields that a closed exam cannot change, a `max_score` below a score
 * given, a coding spec once an attempt has started, and hidden tests of a published exam without their secret;
 * `invalid_faculty`, `not_found` and `validation_error` as on creation. Attempts in progress end by the new time rules.
 */
export async function updateExam(tx: Transaction, id: string, changes: ExamChanges): Promise<void> {
  const { code_spec, group_ids } = changes;
  // A change of the coding spec waits for attempts that are starting; other changes do not.
  const exam = await (code_spec === undefined ? requireLockedExam : requireExclusivelyLockedExam)(tx, id);
  requireChangeable(exam, changes);
  const after = await applyChanges(tx, exam, changes);
  const specChanged = code_spec !== undefined && (await changeSpec(tx, exam, code_spec));
  const assignmentsChanged = group_ids !== undefined && (await replaceAssignments(tx, id, group_ids));
  if (specChanged || assignmentsChanged || !isDeepStrictEqual(after, exam)) await writeExam(tx, { ...after, updated_at: tx.now });
  if (exam.status === 'published' && affectsExpiry(exam, after)) await rescheduleExpiries(tx, id);
  if (assignmentsChanged) await announceAssignments(tx, id);
}
