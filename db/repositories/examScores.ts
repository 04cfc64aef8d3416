import type { InstitutionScope } from '../database';
import type { Page } from '../page';
import type { SubmissionStatus } from './studentExams';

/** How one assigned student stands in an exam, by the latest version of their submission. */
export interface ExamScoreRow {
  /** The internal id. */
  id: string;
  /** The institution's own identifier. */
  student_id: string | null;
  email: string;
  status: SubmissionStatus | 'not_submitted';
  /** These three of a graded one alone. */
  score: number | null;
  percentage: number | null;
  graded_at: Date | null;
  /** As of grading; of one that is not graded, the exam's. */
  max_score: number;
  /** Null without a submission, as `submitted_at`. */
  is_late: boolean | null;
  submitted_at: Date | null;
}

// Texts without a name are planned each time: an exam of thirty students wants another plan than one of thirty thousand.
// The students are picked first and their submissions looked up after, so that a page costs no more than its rows.
const assignedStudents = `users u JOIN institution_emails e ON e.user_id = u.id
  WHERE e.institution_id = $1 AND u.kind = 'student'
    AND EXISTS (SELECT 1 FROM group_members m WHERE m.user_id = u.id
                  AND m.group_id = ANY (ARRAY(SELECT group_id FROM exam_assignments WHERE institution_id = $1 AND exam_id = $2)))`;

const inOrder = 'ORDER BY e.login_email COLLATE "C"';

const scoresOf = (tail: string): string =>
  `SELECT p.id, p.external_id AS student_id, p.login_email AS email, coalesce(v.status, 'not_submitted') AS status,
          v.score::float8 AS score, coalesce(v.max_score, x.max_score)::float8 AS max_score, v.percentage::float8 AS percentage,
          v.is_late, v.submitted_at, v.graded_at
     FROM exams x
     CROSS JOIN (SELECT u.id, u.external_id, e.login_email FROM ${assignedStudents} ${tail}) p
     LEFT JOIN LATERAL (
       SELECT s.status, s.is_late, s.submitted_at, g.score, g.max_score, g.percentage, g.graded_at
         FROM submissions s
         LEFT JOIN LATERAL (SELECT s.score, s.max_score, s.percentage, s.graded_at WHERE s.status = 'graded') g ON true
        WHERE s.exam_id = x.id AND s.student_id = p.id ORDER BY s.version DESC LIMIT 1) v ON true
    WHERE x.institution_id = $1 AND x.id = $2
    ORDER BY p.login_email COLLATE "C"`;

const page = scoresOf(`${inOrder} LIMIT $3 OFFSET $4`);
const after = scoresOf(`AND e.login_email COLLATE "C" > $3 ${inOrder} LIMIT $4`);
const count = `SELECT count(*)::int AS total FROM ${assignedStudents}`;

/** One page of the students assigned to an exam, by login email bytewise, each with how they stand (GET /exams/{id}/scores). */
export async function listExamScores(scope: InstitutionScope, examId: string, { page: nth, limit }: Page): Promise<{ rows: ExamScoreRow[]; total: number }> {
  const key = [scope.institutionId, examId];
  const [counted] = await scope.sql<{ total: number }>(count, key);
  const total = counted?.total ?? 0;
  const offset = (nth - 1) * limit;
  if (offset >= total) return { rows: [], total };
  return { rows: await scope.sql<ExamScoreRow>(page, [...key, limit, offset]), total };
}

/** The next so many of them after a login email, from the first with '': each chunk costs the same, however far it is. */
export function listExamScoresAfter(scope: InstitutionScope, examId: string, email: string, limit: number): Promise<ExamScoreRow[]> {
  return scope.sql<ExamScoreRow>(after, [scope.institutionId, examId, email, limit]);
}
