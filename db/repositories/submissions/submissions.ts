import type { InstitutionScope } from '../../database';
import { definedConditions, newestFirst, readPage, type Page, type PageOf } from '../../page';
import { statement } from '../../statement';
import { countedTotal } from '../counts/rowCounts';
import { personCondition } from '../people/licensedPeople';
import type { SubmissionStatus } from '../exams/studentExams';

/** One version of a student's submission in a list, with the totals of its attempt. */
export interface SubmissionRow {
  id: string;
  exam_id: string;
  student_id: string;
  student_email: string;
  attempt_id: string;
  version: number;
  is_latest: boolean;
  status: SubmissionStatus;
  is_late: boolean;
  feedback: string | null;
  /** These four as of grading; all null until then. */
  score: number | null;
  max_score: number | null;
  percentage: number | null;
  late_penalty_percentage: number | null;
  graded_by: string | null;
  graded_at: Date | null;
  void_reason: string | null;
  voided_at: Date | null;
  submitted_at: Date;
  updated_at: Date;
  focus_losses: number;
  /** To the millisecond. */
  seconds_away: number;
  recorder_errors: number;
  /** Recorded segments that are stored. */
  segments: number;
}

const columns = `s.id, s.exam_id, s.student_id, e.login_email AS student_email, s.attempt_id, s.version,
  NOT EXISTS (SELECT 1 FROM submissions n WHERE n.exam_id = s.exam_id AND n.student_id = s.student_id AND n.version > s.version) AS is_latest,
  s.status, s.is_late, s.feedback, s.score::float8 AS score, s.max_score::float8 AS max_score, s.percentage::float8 AS percentage,
  s.late_penalty_percentage::float8 AS late_penalty_percentage, s.graded_by, s.graded_at, s.void_reason, s.voided_at, s.submitted_at, s.updated_at,
  a.focus_losses, round(a.seconds_away::numeric, 3)::float8 AS seconds_away, a.recorder_errors,
  (SELECT count(*)::int FROM files f WHERE f.attempt_id = s.attempt_id AND f.kind = 'recording' AND f.status = 'stored') AS segments`;

// Each submission has exactly one row in both tables.
const joins = 'LEFT JOIN attempts a ON a.id = s.attempt_id LEFT JOIN institution_emails e ON e.user_id = s.student_id';

/** A submission in a single response. */
export interface SubmissionDetailRow extends SubmissionRow {
  text: string | null;
  ai_usage_data: Record<string, unknown> | null;
}

const byId = statement('submission_by_id', `SELECT ${columns}, s.text, s.ai_usage_data FROM submissions s ${joins} WHERE s.institution_id = $1 AND s.id = $2`);

/** A submission of the institution. */
export async function findSubmission(scope: InstitutionScope, id: string): Promise<SubmissionDetailRow | undefined> {
  const [row] = await scope.sql<SubmissionDetailRow>(byId, [scope.institutionId, id]);
  return row;
}

/** One of a student's versions. */
export type VersionRow = Pick<SubmissionRow, 'id' | 'version' | 'status' | 'submitted_at'>;

const versions = statement(
  'submission_versions',
  'SELECT id, version, status, submitted_at FROM submissions WHERE institution_id = $1 AND exam_id = $2 AND student_id = $3 ORDER BY version DESC',
);

/** Returns every version of a student's submission in an exam, newest first. */
export function listVersions(scope: InstitutionScope, { exam_id, student_id }: Pick<SubmissionRow, 'exam_id' | 'student_id'>): Promise<VersionRow[]> {
  return scope.sql<VersionRow>(versions, [scope.institutionId, exam_id, student_id]);
}

/** The filters of `GET /submissions`; undefined ones do not restrict. */
export interface SubmissionFilter {
  exam_id?: string | undefined;
  status?: SubmissionStatus | undefined;
  /** Internal id or login email. */
  student_id?: string | undefined;
  /** Exclusive, of the last change. */
  since?: Date | undefined;
}

/** One page of the institution's submissions, every version, newest first. */
export function listSubmissions(
  scope: InstitutionScope,
  { exam_id, status, student_id, since }: SubmissionFilter,
  page: Page,
): Promise<PageOf<SubmissionRow>> {
  const conditions = definedConditions([
    { sql: 's.institution_id = $', value: scope.institutionId },
    { sql: 's.exam_id = $', value: exam_id },
    { sql: 's.status = $', value: status },
    { sql: personCondition('s.student_id', student_id ?? ''), value: student_id },
    { sql: 's.updated_at > $', value: since },
  ]);
  const readTotal = countedTotal(scope, { counted: 'submissions', status }, [exam_id, student_id, since]);
  return readPage(scope.sql, { columns, from: 'submissions s', joins, key: 's.id', conditions, order: newestFirst('s.submitted_at', 's.id'), readTotal, maxSorted: since === undefined ? 0 : 50_000 }, page);
}
