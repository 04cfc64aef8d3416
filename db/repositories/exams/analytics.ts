import type { InstitutionScope } from '../../database';

/** The analytics of an exam; statistics are over the percentages of graded latest versions. */
export interface ExamAnalyticsRow {
  not_submitted: number;
  submitted: number;
  graded: number;
  resubmission_required: number;
  voided: number;
  /** These five with up to two decimals; null while none is graded. */
  mean: number | null;
  median: number | null;
  min: number | null;
  max: number | null;
  /** Of the population. */
  standard_deviation: number | null;
  /** The number in each tenth of 0 to 100, ascending; 100 itself is in the last. */
  histogram: number[];
  late: number;
  /** Seconds from start to submission; null while nothing was submitted. */
  mean_duration: number | null;
  focus_losses: number;
  /** To the millisecond. */
  seconds_away: number;
}

// Not prepared, like all statements here that read many rows.
const analytics =
  `WITH latest AS (
     SELECT DISTINCT ON (student_id) student_id, status, is_late, percentage FROM submissions
      WHERE institution_id = $1 AND exam_id = $2 ORDER BY student_id, version DESC
   ), graded AS (
     SELECT percentage FROM latest WHERE status = 'graded'
   ), counted AS (
     SELECT count(*) FILTER (WHERE status = 'submitted')::int AS submitted, count(*) FILTER (WHERE status = 'graded')::int AS graded,
            count(*) FILTER (WHERE status = 'resubmission_required')::int AS resubmission_required,
            count(*) FILTER (WHERE status = 'voided')::int AS voided, count(*) FILTER (WHERE is_late AND status <> 'voided')::int AS late
       FROM latest
   ), described AS (
     SELECT round(avg(percentage), 2)::float8 AS mean, round(percentile_cont(0.5) WITHIN GROUP (ORDER BY percentage)::numeric, 2)::float8 AS median,
            min(percentage)::float8 AS min, max(percentage)::float8 AS max, round(stddev_pop(percentage), 2)::float8 AS standard_deviation
       FROM graded
   ), bins AS (
     SELECT array_agg((SELECT count(*)::int FROM graded WHERE least(width_bucket(percentage, 0, 100, 10), 10) = bin) ORDER BY bin) AS histogram
       FROM generate_series(1, 10) bin
   ), worked AS (
     SELECT round(avg(extract(epoch FROM ended_at - started_at)) FILTER (WHERE status = 'submitted'), 3)::float8 AS mean_duration,
            coalesce(sum(focus_losses), 0)::float8 AS focus_losses, round(coalesce(sum(seconds_away), 0)::numeric, 3)::float8 AS seconds_away
       FROM attempts WHERE institution_id = $1 AND exam_id = $2
   ), waiting AS (
     SELECT count(DISTINCT m.user_id)::int AS not_submitted FROM exam_assignments a JOIN group_members m ON m.group_id = a.group_id
      WHERE a.institution_id = $1 AND a.exam_id = $2 AND NOT EXISTS (SELECT 1 FROM latest l WHERE l.student_id = m.user_id)
   )
   SELECT * FROM counted, described, bins, worked, waiting`;

/** Returns the analytics of an exam, computed by the database. */
export async function readExamAnalytics(scope: InstitutionScope, examId: string): Promise<ExamAnalyticsRow> {
  const [row] = await scope.sql<ExamAnalyticsRow>(analytics, [scope.institutionId, examId]);
  if (row === undefined) throw new Error('Counting answered no row');
  return row;
}
