import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';

/** Counts of an exam's students; each student counts once, by the latest version of the submission. */
export interface ExamStats {
  assigned: number;
  started: number;
  submitted: number;
  graded: number;
  /** Over the graded ones, with up to two decimals; null while none is graded. */
  average_percentage: number | null;
}

const stats = statement(
  'exam_stats',
  `WITH latest AS (
     SELECT DISTINCT ON (student_id) status, percentage FROM submissions
      WHERE institution_id = $1 AND exam_id = $2 ORDER BY student_id, version DESC
   ), counted AS (
     SELECT count(*) FILTER (WHERE status <> 'voided') AS submitted, count(*) FILTER (WHERE status = 'graded') AS graded,
            round(avg(percentage) FILTER (WHERE status = 'graded'), 2) AS average
       FROM latest
   )
   SELECT (SELECT count(DISTINCT m.user_id)::int FROM exam_assignments a JOIN group_members m ON m.group_id = a.group_id
            WHERE a.institution_id = $1 AND a.exam_id = $2) AS assigned,
          (SELECT count(DISTINCT student_id)::int FROM attempts WHERE institution_id = $1 AND exam_id = $2) AS started,
          submitted::int, graded::int, average::float8 AS average_percentage
     FROM counted`,
);

/** Returns the stats of an exam (section Exam, GET /exams/{id}). */
export async function readExamStats(scope: InstitutionScope, examId: string): Promise<ExamStats> {
  const [row] = await scope.sql<ExamStats>(stats, [scope.institutionId, examId]);
  if (row === undefined) throw new Error('Counting answered no row');
  return row;
}
