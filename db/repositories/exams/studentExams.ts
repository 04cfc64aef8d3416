import type { InstitutionScope } from '../../database';
import { readPage, type Condition, type Page, type PageOf } from '../../page';
import { statement } from '../../statement';
import { examOrder, summaryColumns, type CodeSpec, type ExamSummaryRow, type VisibleExamStatus } from './columns';

export const attemptStatuses = ['in_progress', 'submitted', 'abandoned'] as const;
export type AttemptStatus = (typeof attemptStatuses)[number];
export const submissionStatuses = ['submitted', 'graded', 'resubmission_required', 'voided'] as const;
export type SubmissionStatus = (typeof submissionStatuses)[number];

/** The columns of something that there may be, or null in each of them. */
type OrNulls<Columns> = Columns | Record<keyof Columns, null>;

/** A student's latest attempt at an exam. */
interface StudentAttempt {
  attempt_id: string;
  attempt_status: AttemptStatus;
  attempt_started_at: Date;
  attempt_expires_at: Date | null;
  attempt_hidden_released_at: Date | null;
}

/** The latest version of a student's submission; its score while that is graded. */
interface StudentSubmission {
  submission_id: string;
  submission_version: number;
  submission_status: SubmissionStatus;
  submission_is_late: boolean;
  submission_score: number | null;
  submission_percentage: number | null;
  submission_submitted_at: Date;
  submission_graded_at: Date | null;
}

/** An exam as one student has it: with their latest attempt and the latest version of their submission, if any. */
export type StudentExamRow = ExamSummaryRow & { status: VisibleExamStatus } & OrNulls<StudentAttempt> & OrNulls<StudentSubmission>;

const columns = `${summaryColumns}, t.id AS attempt_id, t.status AS attempt_status, t.started_at AS attempt_started_at,
  t.expires_at AS attempt_expires_at, t.hidden_released_at AS attempt_hidden_released_at,
  v.id AS submission_id, v.version AS submission_version, v.status AS submission_status, v.is_late AS submission_is_late,
  v.submitted_at AS submission_submitted_at, g.score::float8 AS submission_score, g.percentage::float8 AS submission_percentage,
  g.graded_at AS submission_graded_at`;

// A score is shown only while it counts: not for a voided submission or a resubmission request.
const from = `exams x JOIN users s ON s.institution_id = x.institution_id
  LEFT JOIN LATERAL (SELECT * FROM attempts WHERE exam_id = x.id AND student_id = s.id ORDER BY started_at DESC, id DESC LIMIT 1) t ON true
  LEFT JOIN LATERAL (SELECT * FROM submissions WHERE exam_id = x.id AND student_id = s.id ORDER BY version DESC LIMIT 1) v ON true
  LEFT JOIN LATERAL (SELECT v.score, v.percentage, v.graded_at WHERE v.status = 'graded') g ON true`;

/** The visibility rule (section Exam) of exam `x` and student `s`: published, and assigned to a group that the student belongs to. */
export const visible = `x.status <> 'draft' AND EXISTS (SELECT 1 FROM exam_assignments a JOIN group_members m ON m.group_id = a.group_id
  WHERE a.exam_id = x.id AND m.user_id = s.id)`;

const conditionsOf = ({ institutionId }: InstitutionScope, studentId: string): Condition[] => [
  { sql: 'x.institution_id = $', value: institutionId },
  { sql: `s.id = $ AND ${visible}`, value: studentId },
];

/** Returns one page of the exams that a student sees, newest first. */
export function listStudentExams(scope: InstitutionScope, studentId: string, page: Page): Promise<PageOf<StudentExamRow>> {
  return readPage(scope.sql, { columns, from, conditions: conditionsOf(scope, studentId), order: examOrder }, page);
}

const canSee = statement(
  'student_sees_exam',
  `SELECT 1 FROM exams x JOIN users s ON s.institution_id = x.institution_id WHERE x.institution_id = $1 AND s.id = $2 AND x.id = $3 AND ${visible}`,
);

/** Whether a student sees an exam. */
export async function canSeeExam(scope: InstitutionScope, studentId: string, examId: string): Promise<boolean> {
  return (await scope.sql(canSee, [scope.institutionId, studentId, examId])).length > 0;
}

/** Returns one exam with its coding spec if the student sees it. */
export async function findStudentExam(
  scope: InstitutionScope,
  studentId: string,
  examId: string,
): Promise<(StudentExamRow & { code_spec: CodeSpec | null }) | undefined> {
  const conditions = [...conditionsOf(scope, studentId), { sql: 'x.id = $', value: examId }];
  const { rows } = await readPage<StudentExamRow & { code_spec: CodeSpec | null }>(
    scope.sql,
    { columns: `${columns}, x.code_spec`, from, conditions, order: examOrder },
    { page: 1, limit: 1 },
  );
  return rows[0];
}
