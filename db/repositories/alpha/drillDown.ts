import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';
import type { EnrollmentRow } from './enrollments';
import { progressColumns, type CurriculumProgress } from './mastery';

/** An enrollment with its student's progress, and the activity of one day. */
export interface EnrollmentProgressRow extends EnrollmentRow, CurriculumProgress {
  curriculum_title: string;
  minutes_today: number;
}

const enrollments = statement(
  'alpha_student_enrollments',
  `SELECT n.id, n.curriculum_id, n.student_id, n.status, n.daily_target_minutes, n.created_at, n.updated_at, n.completed_at, c.title AS curriculum_title,
          ${progressColumns}, coalesce((SELECT d.minutes FROM alpha_days d WHERE d.enrollment_id = n.id AND d.day = $3::date), 0) AS minutes_today
     FROM alpha_enrollments n JOIN curricula c ON c.id = n.curriculum_id
    WHERE n.institution_id = $1 AND n.student_id = $2 ORDER BY n.created_at DESC, n.id DESC LIMIT $4`,
);

/** Returns a student's newest enrollments, at most `limit`, with the minutes of this day. */
export function listEnrollmentProgress(scope: InstitutionScope, studentId: string, day: string, limit: number): Promise<EnrollmentProgressRow[]> {
  return scope.sql<EnrollmentProgressRow>(enrollments, [scope.institutionId, studentId, day, limit]);
}

/** A student's activity on a day, over all enrollments; the target is met if that of one enrollment was. */
export interface DaySummaryRow {
  day: string;
  minutes: number;
  met: boolean;
}

const days = statement(
  'alpha_student_days',
  `SELECT d.day::text AS day, sum(d.minutes)::int AS minutes, bool_or(d.minutes >= d.target_minutes) AS met
     FROM alpha_days d WHERE d.institution_id = $1 AND d.student_id = $2 AND d.day = ANY ($3::date[]) GROUP BY d.day`,
);

/** Returns those of these days on which a student reported minutes, unordered. */
export function listDays(scope: InstitutionScope, studentId: string, wanted: readonly string[]): Promise<DaySummaryRow[]> {
  return scope.sql<DaySummaryRow>(days, [scope.institutionId, studentId, wanted]);
}
