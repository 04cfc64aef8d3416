import type { InstitutionScope } from '../../database';
import { definedConditions, readPage, type Page, type PageOf } from '../../page';
import { statement } from '../../statement';
import { examOrder, summaryColumns, type CodeSpec, type ExamApp, type ExamStatus, type ExamSummaryRow } from './columns';

/** An exam without its coding spec and without the hidden-test key. */
export interface ExamRow extends ExamSummaryRow {
  /** When the hidden-test key was last set; null without one. */
  hidden_key_set_at: Date | null;
}

/** An exam in a single response. */
export interface ExamDetailRow extends ExamRow {
  code_spec: CodeSpec | null;
}

const columns = `${summaryColumns}, x.hidden_key_set_at`;
const fromById = 'FROM exams x WHERE x.institution_id = $1 AND x.id = $2';

const byId = statement('exam_by_id', `SELECT ${columns} ${fromById}`);
const detailById = statement('exam_whole_by_id', `SELECT ${columns}, x.code_spec ${fromById}`);
const lockById = statement('exam_lock', `SELECT ${columns} ${fromById} FOR NO KEY UPDATE`);
const lockByIdExclusively = statement('exam_lock_alone', `SELECT ${columns} ${fromById} FOR UPDATE`);

/** An exam of the institution, without its coding spec. */
export async function findExam(scope: InstitutionScope, id: string): Promise<ExamRow | undefined> {
  const [row] = await scope.sql<ExamRow>(byId, [scope.institutionId, id]);
  return row;
}

/** Returns an exam of the institution with its coding spec, which may have 2 MiB. */
export async function findExamDetail(scope: InstitutionScope, id: string): Promise<ExamDetailRow | undefined> {
  const [row] = await scope.sql<ExamDetailRow>(detailById, [scope.institutionId, id]);
  return row;
}

/** Locks an exam's row and reads it under the lock; attempts may start concurrently. */
export async function lockExam(scope: InstitutionScope, id: string): Promise<ExamRow | undefined> {
  const [row] = await scope.sql<ExamRow>(lockById, [scope.institutionId, id]);
  return row;
}

/** The same with the exclusive lock: no row that references the exam can be written until the commit. */
export async function lockExamExclusively(scope: InstitutionScope, id: string): Promise<ExamRow | undefined> {
  const [row] = await scope.sql<ExamRow>(lockByIdExclusively, [scope.institutionId, id]);
  return row;
}

const insert = statement(
  'exam_insert',
  `INSERT INTO exams (id, institution_id, faculty_id, title, exam_type, max_score, due_date, time_limit_minutes, allow_late_submission,
          late_penalty_percentage, proctoring, ai_policy, updated_at, status, code_spec, published_at, closed_at, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18) RETURNING app`,
);

// Status and coding spec have statements of their own, so that they are written only if they change.
const change = statement(
  'exam_update',
  `UPDATE exams SET faculty_id = $3, title = $4, exam_type = $5, max_score = $6, due_date = $7, time_limit_minutes = $8,
          allow_late_submission = $9, late_penalty_percentage = $10, proctoring = $11, ai_policy = $12, updated_at = greatest(updated_at, $13)
    WHERE id = $1 AND institution_id = $2`,
);

/** The columns of a new exam; `app` follows from `code_spec`. */
export type NewExamRow = Omit<ExamDetailRow, 'app' | 'hidden_key_set_at'>;

/** The columns of an exam that change without a status transition. */
export type ExamTerms = Omit<NewExamRow, 'status' | 'code_spec' | 'published_at' | 'closed_at' | 'created_at'>;

const termsOf = ({ institutionId }: InstitutionScope, exam: ExamTerms): unknown[] => [
  exam.id,
  institutionId,
  exam.faculty_id,
  exam.title,
  exam.exam_type,
  exam.max_score,
  exam.due_date,
  exam.time_limit_minutes,
  exam.allow_late_submission,
  exam.late_penalty_percentage,
  JSON.stringify(exam.proctoring),
  JSON.stringify(exam.ai_policy),
  exam.updated_at,
];

const specText = (spec: CodeSpec | null): string | null => (spec === null ? null : JSON.stringify(spec));

/** Inserts an exam; returns its app. */
export async function insertExam(scope: InstitutionScope, exam: NewExamRow): Promise<ExamApp> {
  const { status, code_spec: spec, published_at, closed_at, created_at } = exam;
  const [row] = await scope.sql<{ app: ExamApp }>(insert, [...termsOf(scope, exam), status, specText(spec), published_at, closed_at, created_at]);
  if (row === undefined) throw new Error('An insert returns its row');
  return row.app;
}

/** Updates the fields of a locked exam. `updated_at` never decreases, although a transaction that waited for the lock began earlier. */
export async function writeExam(scope: InstitutionScope, exam: ExamTerms): Promise<void> {
  await scope.sql(change, termsOf(scope, exam));
}

const updateStatus = statement(
  'exam_turn',
  `UPDATE exams SET status = $3, published_at = $4, closed_at = $5, updated_at = greatest(updated_at, $6) WHERE institution_id = $1 AND id = $2`,
);

/** Updates the status of a locked exam, with the times of its transitions. */
export async function writeStatus(
  scope: InstitutionScope,
  { id, status, published_at, closed_at, updated_at }: Pick<ExamRow, 'id' | 'status' | 'published_at' | 'closed_at' | 'updated_at'>,
): Promise<void> {
  await scope.sql(updateStatus, [scope.institutionId, id, status, published_at, closed_at, updated_at]);
}

const updateCodeSpec = statement('exam_specify', 'UPDATE exams SET code_spec = $3 WHERE institution_id = $1 AND id = $2');

/** Updates the coding spec of an exclusively locked exam. */
export async function writeCodeSpec(scope: InstitutionScope, id: string, spec: CodeSpec | null): Promise<void> {
  await scope.sql(updateCodeSpec, [scope.institutionId, id, specText(spec)]);
}

const codeSpecById = statement('exam_code_spec', 'SELECT code_spec FROM exams WHERE institution_id = $1 AND id = $2');

/** The coding spec of an exam; null where it has none. */
export async function findCodeSpec(scope: InstitutionScope, id: string): Promise<CodeSpec | null> {
  const [row] = await scope.sql<{ code_spec: CodeSpec | null }>(codeSpecById, [scope.institutionId, id]);
  return row?.code_spec ?? null;
}

const touch = statement('exam_touch', 'UPDATE exams SET updated_at = greatest(updated_at, $3) WHERE institution_id = $1 AND id = $2');

/** Updates `updated_at` of a locked exam. */
export async function touchExam(scope: InstitutionScope, id: string, now: Date): Promise<void> {
  await scope.sql(touch, [scope.institutionId, id, now]);
}

const highest = statement('exam_highest_score', 'SELECT max(score)::float8 AS score FROM submissions WHERE institution_id = $1 AND exam_id = $2');

/** Returns the highest score given in an exam; null without one. */
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

/** Deletes the rows that reference an exam without attempts: assignments, notices, releases of its key, uses of files. */
export async function removeExamParts(scope: InstitutionScope, examId: string): Promise<void> {
  await scope.sql(remove, [scope.institutionId, examId]);
  await scope.sql(removeNotices, [scope.institutionId, examId]);
}

/** Deletes an exam that no row references any more. */
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
): Promise<PageOf<ExamSummaryRow>> {
  const conditions = definedConditions([
    { sql: 'x.institution_id = $', value: scope.institutionId },
    { sql: 'x.app = $', value: app },
    { sql: 'x.status = $', value: status },
    { sql: 'x.updated_at >= $', value: updated_since },
  ]);
  return readPage(scope.sql, { columns: summaryColumns, from: 'exams x', key: 'x.id', conditions, order: examOrder }, page);
}

/** One page of the exams that a faculty member owns, newest first. */
export function listExamsOfOwner(scope: InstitutionScope, facultyId: string, page: Page): Promise<PageOf<ExamSummaryRow>> {
  const conditions = [
    { sql: 'x.institution_id = $', value: scope.institutionId },
    { sql: 'x.faculty_id = $', value: facultyId },
  ];
  return readPage(scope.sql, { columns: summaryColumns, from: 'exams x', key: 'x.id', conditions, order: examOrder }, page);
}

/** The newest exams assigned to a group, at most `limit`, and their number in all. */
export async function listNewestExamsOfGroup(scope: InstitutionScope, groupId: string, limit: number): Promise<{ rows: ExamSummaryRow[]; total: number }> {
  const conditions = [
    { sql: 'x.institution_id = $', value: scope.institutionId },
    { sql: 'a.group_id = $', value: groupId },
  ];
  const from = 'exam_assignments a JOIN exams x ON x.id = a.exam_id';
  const { rows, total } = await readPage<ExamSummaryRow>(scope.sql, { columns: summaryColumns, from, conditions, order: examOrder }, { page: 1, limit });
  return { rows, total: total ?? rows.length };
}
