import type { InstitutionScope } from '../database';
import { given, readPage, type Page } from '../page';
import { statement } from '../statement';
import { examOrder, summaryColumns, type CodeSpec, type ExamApp, type ExamStatus, type ExamSummaryRow } from './examColumns';

/** An exam as a single answer and every command read it; the hidden-test key itself is not among it. */
export interface ExamRow extends ExamSummaryRow {
  code_spec: CodeSpec | null;
  /** When the hidden-test key was last set; null without one. */
  hidden_key_set_at: Date | null;
}

const one = `SELECT ${summaryColumns}, x.code_spec, x.hidden_key_set_at FROM exams x WHERE x.institution_id = $1 AND x.id = $2`;

const byId = statement('exam_by_id', one);
const lockById = statement('exam_lock', `${one} FOR NO KEY UPDATE`);
const lockToRemove = statement('exam_lock_to_remove', `${one} FOR UPDATE`);

/** An exam of the institution. */
export async function findExam(scope: InstitutionScope, id: string): Promise<ExamRow | undefined> {
  const [row] = await scope.sql<ExamRow>(byId, [scope.institutionId, id]);
  return row;
}

/** The same inside a transaction, its row locked and read under the lock; attempts may still begin meanwhile. */
export async function lockExam(scope: InstitutionScope, id: string): Promise<ExamRow | undefined> {
  const [row] = await scope.sql<ExamRow>(lockById, [scope.institutionId, id]);
  return row;
}

/** The same with the strongest lock: nothing that refers to the exam can be written meanwhile. */
export async function lockExamAlone(scope: InstitutionScope, id: string): Promise<ExamRow | undefined> {
  const [row] = await scope.sql<ExamRow>(lockToRemove, [scope.institutionId, id]);
  return row;
}

const insert = statement(
  'exam_insert',
  `INSERT INTO exams (id, institution_id, faculty_id, title, exam_type, status, max_score, due_date, time_limit_minutes, allow_late_submission,
          late_penalty_percentage, proctoring, ai_policy, code_spec, published_at, closed_at, created_at, updated_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
);

const change = statement(
  'exam_update',
  `UPDATE exams SET faculty_id = $3, title = $4, exam_type = $5, status = $6, max_score = $7, due_date = $8, time_limit_minutes = $9,
          allow_late_submission = $10, late_penalty_percentage = $11, proctoring = $12, ai_policy = $13, code_spec = $14, published_at = $15,
          closed_at = $16, updated_at = greatest(updated_at, $17)
    WHERE id = $1 AND institution_id = $2`,
);

/** What is written of an exam; `app` follows from `code_spec`. */
export type ExamColumns = Omit<ExamRow, 'app' | 'hidden_key_set_at'>;

const valuesOf = ({ institutionId }: InstitutionScope, exam: ExamColumns): unknown[] => [
  exam.id,
  institutionId,
  exam.faculty_id,
  exam.title,
  exam.exam_type,
  exam.status,
  exam.max_score,
  exam.due_date,
  exam.time_limit_minutes,
  exam.allow_late_submission,
  exam.late_penalty_percentage,
  JSON.stringify(exam.proctoring),
  JSON.stringify(exam.ai_policy),
  exam.code_spec === null ? null : JSON.stringify(exam.code_spec),
  exam.published_at,
  exam.closed_at,
];

/** Writes a new exam. */
export async function insertExam(scope: InstitutionScope, exam: ExamColumns): Promise<void> {
  await scope.sql(insert, [...valuesOf(scope, exam), exam.created_at, exam.updated_at]);
}

/** Writes every column of a locked exam that can change. `updated_at` never goes back: who waited for the lock began earlier. */
export async function writeExam(scope: InstitutionScope, exam: ExamColumns): Promise<void> {
  await scope.sql(change, [...valuesOf(scope, exam), exam.updated_at]);
}

const touch = statement('exam_touch', 'UPDATE exams SET updated_at = greatest(updated_at, $3) WHERE institution_id = $1 AND id = $2');

/** Notes that something of a locked exam has changed. */
export async function touchExam(scope: InstitutionScope, id: string, now: Date): Promise<void> {
  await scope.sql(touch, [scope.institutionId, id, now]);
}

const highest = statement('exam_highest_score', 'SELECT max(score)::float8 AS score FROM submissions WHERE institution_id = $1 AND exam_id = $2');

/** The highest score given in an exam; null while none was. */
export async function highestScore(scope: InstitutionScope, examId: string): Promise<number | null> {
  const [row] = await scope.sql<{ score: number | null }>(highest, [scope.institutionId, examId]);
  return row?.score ?? null;
}

const started = statement('exam_started', 'SELECT 1 FROM attempts WHERE institution_id = $1 AND exam_id = $2 LIMIT 1');

/** Whether any student has started an attempt; each submission comes from one. */
export async function hasAttempts(scope: InstitutionScope, examId: string): Promise<boolean> {
  return (await scope.sql(started, [scope.institutionId, examId])).length > 0;
}

const remove = statement(
  'exam_remove',
  `WITH recipients AS (DELETE FROM exam_notice_recipients WHERE exam_id = $2 AND institution_id = $1),
        releases AS (DELETE FROM code_secret_releases WHERE exam_id = $2 AND institution_id = $1),
        assignments AS (DELETE FROM exam_assignments WHERE exam_id = $2 AND institution_id = $1)
   DELETE FROM exam_files WHERE exam_id = $2 AND institution_id = $1`,
);
const removeNotices = statement('exam_remove_notices', 'DELETE FROM exam_notices WHERE exam_id = $2 AND institution_id = $1');
const removeItself = statement('exam_remove_itself', 'DELETE FROM exams WHERE id = $2 AND institution_id = $1');

/** Deletes what hangs on an exam that nobody has attempted: assignments, notices, releases of its key, uses of files. */
export async function removeExamParts(scope: InstitutionScope, examId: string): Promise<void> {
  await scope.sql(remove, [scope.institutionId, examId]);
  await scope.sql(removeNotices, [scope.institutionId, examId]);
}

/** Deletes an exam on which nothing hangs any more. */
export async function removeExam(scope: InstitutionScope, examId: string): Promise<void> {
  await scope.sql(removeItself, [scope.institutionId, examId]);
}

/** The filters of `GET /exams`; undefined ones do not restrict. */
export interface ExamFilter {
  app?: ExamApp | undefined;
  status?: ExamStatus | undefined;
  /** Inclusive. */
  updated_since?: Date | undefined;
}

/** One page of the institution's exams, newest first. */
export function listExams(
  scope: InstitutionScope,
  { app, status, updated_since }: ExamFilter,
  page: Page,
): Promise<{ rows: ExamSummaryRow[]; total: number }> {
  const conditions = given([
    { sql: 'x.institution_id = $', value: scope.institutionId },
    { sql: 'x.app = $', value: app },
    { sql: 'x.status = $', value: status },
    { sql: 'x.updated_at >= $', value: updated_since },
  ]);
  return readPage(scope.sql, { columns: summaryColumns, from: 'exams x', conditions, orderBy: examOrder }, page);
}

/** One page of the exams that a faculty member owns, newest first. */
export function listExamsOfOwner(scope: InstitutionScope, facultyId: string, page: Page): Promise<{ rows: ExamSummaryRow[]; total: number }> {
  const conditions = [
    { sql: 'x.institution_id = $', value: scope.institutionId },
    { sql: 'x.faculty_id = $', value: facultyId },
  ];
  return readPage(scope.sql, { columns: summaryColumns, from: 'exams x', conditions, orderBy: examOrder }, page);
}

/** One page of the exams assigned to a group, newest first. */
export function listExamSummariesOfGroup(scope: InstitutionScope, groupId: string, page: Page): Promise<{ rows: ExamSummaryRow[]; total: number }> {
  const conditions = [
    { sql: 'x.institution_id = $', value: scope.institutionId },
    { sql: 'a.group_id = $', value: groupId },
  ];
  return readPage(scope.sql, { columns: summaryColumns, from: 'exam_assignments a JOIN exams x ON x.id = a.exam_id', conditions, orderBy: examOrder }, page);
}
