import type { InstitutionScope } from '../../database';
import { newestFirst, orderClause, readPage, type Page, type PageOf } from '../../page';
import { statement } from '../../statement';
import { examOrder } from '../exams/columns';
import { isLoginEmail } from '../people/licensedPeople';
import { visible, type StudentExamRow } from '../exams/studentExams';
import type { SubmissionFileRow } from '../submissions/files';
import type { SubmissionRow } from '../submissions/submissions';
import type { ReportRow } from '../reports/weekly';

/** A student whom a guardian follows. */
export interface FollowedStudentRow {
  id: string;
  full_name: string | null;
  login_email: string;
}

// A guardian sees a student only through a verified link.
const columns = 's.id, s.full_name, e.login_email';
const from = 'guardian_links l JOIN users s ON s.id = l.student_id JOIN institution_emails e ON e.user_id = l.student_id';

/** Returns one page of the students of a guardian's verified links, newest link first. */
export function listFollowedStudents(scope: InstitutionScope, personId: string, page: Page): Promise<PageOf<FollowedStudentRow>> {
  const conditions = [
    { sql: 'l.institution_id = $', value: scope.institutionId },
    { sql: 'l.guardian_id = $ AND l.verified_at IS NOT NULL', value: personId },
  ];
  return readPage(scope.sql, { columns, from, conditions, order: newestFirst('l.created_at', 'l.id') }, page);
}

const one = (condition: string): string =>
  `SELECT ${columns} FROM ${from} WHERE l.institution_id = $1 AND l.guardian_id = $2 AND l.verified_at IS NOT NULL AND ${condition}`;
const byId = statement('followed_student_by_id', one('s.id = $3'));
const byLoginEmail = statement('followed_student_by_login_email', one('e.login_email = lower($3)'));

/** Returns one of those students, by internal id or login email. */
export async function findFollowedStudent(scope: InstitutionScope, personId: string, idOrEmail: string): Promise<FollowedStudentRow | undefined> {
  const [row] = await scope.sql<FollowedStudentRow>(isLoginEmail(idOrEmail) ? byLoginEmail : byId, [scope.institutionId, personId, idOrEmail]);
  return row;
}

/** An exam as a guardian sees it. */
export type FollowedExamRow = Pick<StudentExamRow, 'id' | 'title' | 'exam_type' | 'status' | 'max_score' | 'due_date'>;

const newestExams = statement(
  'followed_newest_exams',
  `SELECT s.id AS student_id, n.id, n.title, n.exam_type, n.status, n.max_score::float8 AS max_score, n.due_date
     FROM unnest($2::text[]) AS s (id)
     CROSS JOIN LATERAL (SELECT x.* FROM exams x WHERE x.institution_id = $1 AND ${visible} ORDER BY ${orderClause(examOrder)} LIMIT $3) n
    ORDER BY n.created_at DESC, n.id DESC`,
);

/** Returns the newest exams that each of these students sees, at most `limit` per student, newest first. */
export function listNewestFollowedExams(scope: InstitutionScope, studentIds: readonly string[], limit: number): Promise<(FollowedExamRow & { student_id: string })[]> {
  return scope.sql(newestExams, [scope.institutionId, studentIds, limit]);
}

/** A version of a submission as a guardian sees it; the score while it counts. */
export type FollowedVersionRow = Pick<
  SubmissionRow,
  'id' | 'exam_id' | 'student_id' | 'version' | 'status' | 'is_late' | 'feedback' | 'score' | 'max_score' | 'percentage' | 'late_penalty_percentage' | 'graded_at' | 'submitted_at'
>;

const versionColumns = `v.id, v.exam_id, v.student_id, v.version, v.status, v.is_late, v.feedback, g.score::float8 AS score, g.max_score::float8 AS max_score,
          g.percentage::float8 AS percentage, g.late_penalty_percentage::float8 AS late_penalty_percentage, g.graded_at, v.submitted_at`;
const gradedScore = "LEFT JOIN LATERAL (SELECT v.score, v.max_score, v.percentage, v.late_penalty_percentage, v.graded_at WHERE v.status = 'graded') g ON true";

const versions = statement(
  'followed_versions',
  `SELECT ${versionColumns}
     FROM unnest($2::text[], $3::text[]) AS x (student_id, id)
     CROSS JOIN LATERAL (SELECT * FROM submissions s WHERE s.institution_id = $1 AND s.student_id = x.student_id AND s.exam_id = x.id ORDER BY s.version DESC LIMIT $4) v
     ${gradedScore}
    ORDER BY v.version DESC`,
);

/** Returns the newest versions of these students' submissions of these exams, at most `limit` of each, newest first. */
export function listFollowedVersions(scope: InstitutionScope, of: readonly { studentId: string; examId: string }[], limit: number): Promise<FollowedVersionRow[]> {
  return scope.sql(versions, [scope.institutionId, of.map(({ studentId }) => studentId), of.map(({ examId }) => examId), limit]);
}

/** A version of a submission with the student's text of up to 200,000 characters, which lists do not contain. */
export interface FollowedSubmissionRow extends FollowedVersionRow {
  text: string | null;
}

const submission = statement(
  'followed_submission',
  `SELECT ${versionColumns}, v.text
     FROM submissions v JOIN guardian_links l ON l.student_id = v.student_id JOIN users s ON s.id = v.student_id JOIN exams x ON x.id = v.exam_id
     ${gradedScore}
    WHERE v.institution_id = $1 AND v.id = $3 AND l.institution_id = $1 AND l.guardian_id = $2 AND l.verified_at IS NOT NULL AND ${visible}`,
);

/** Returns a version of a submission if the guardian has a verified link to its student, and the student sees the exam. */
export async function findFollowedSubmission(scope: InstitutionScope, personId: string, id: string): Promise<FollowedSubmissionRow | undefined> {
  const [row] = await scope.sql<FollowedSubmissionRow>(submission, [scope.institutionId, personId, id]);
  return row;
}

const attachments = statement(
  'followed_attachments',
  // Looks submissions up by key, one after the other, regardless of the statistics.
  `SELECT x.id AS submission_id, f.id, f.sha256, f.size::float8 AS size, f.filename, f.content_type, t.name
     FROM unnest($2::text[]) AS x (id)
     CROSS JOIN LATERAL (SELECT * FROM submission_attachments WHERE submission_id = x.id OFFSET 0) t
     CROSS JOIN LATERAL (SELECT * FROM files WHERE id = t.file_id OFFSET 0) f
    WHERE t.institution_id = $1 AND f.kind = 'attachment' AND f.status = 'stored' ORDER BY t.position`,
);

/** Returns the attachments of these submissions, in the student's order; never recordings. */
export function listFollowedAttachments(scope: InstitutionScope, submissionIds: readonly string[]): Promise<(SubmissionFileRow & { submission_id: string })[]> {
  return scope.sql(attachments, [scope.institutionId, submissionIds]);
}

/** A weekly report as a guardian sees it. */
export type FollowedReportRow = Omit<ReportRow, 'guardian_id' | 'student_id' | 'student_email' | 'sent_at'>;

const reportColumns = `r.id, r.week::text AS week_start, (r.week + 6)::text AS week_end, i.time_zone, r.minutes, r.days_met, r.points, r.points_balance,
  r.concepts_mastered, r.streak_days, r.badges, r.created_at`;

const newestReports = statement(
  'followed_newest_reports',
  `SELECT r.student_id, ${reportColumns}
     FROM unnest($2::text[]) AS s (id)
     CROSS JOIN LATERAL (SELECT * FROM weekly_reports w WHERE w.institution_id = $1 AND w.student_id = s.id ORDER BY w.week DESC LIMIT $3) r
     JOIN institutions i ON i.id = r.institution_id
    ORDER BY r.week DESC`,
);

/** Returns the newest weekly reports of each of these students, at most `limit` per student, newest week first. */
export function listNewestFollowedReports(scope: InstitutionScope, studentIds: readonly string[], limit: number): Promise<(FollowedReportRow & { student_id: string })[]> {
  return scope.sql(newestReports, [scope.institutionId, studentIds, limit]);
}

/** Returns one page of a student's weekly reports, newest week first. */
export function listFollowedReports(scope: InstitutionScope, studentId: string, page: Page): Promise<PageOf<FollowedReportRow>> {
  const conditions = [
    { sql: 'r.institution_id = $', value: scope.institutionId },
    { sql: 'r.student_id = $', value: studentId },
  ];
  return readPage(
    scope.sql,
    {
      columns: reportColumns,
      from: 'weekly_reports r JOIN institutions i ON i.id = r.institution_id',
      conditions,
      // A student has one report of a week.
      order: [{ sql: 'r.week', type: 'date', direction: 'DESC' }],
    },
    page,
  );
}
