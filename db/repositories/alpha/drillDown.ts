import type { InstitutionScope } from '../../database';
import { statement } from '../../statement';
import type { EnrollmentRow } from './enrollments';
import { progressColumns, type CurriculumProgress } from './mastery';

/** An enrollment with how far its student is, and what they did on one day. */
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

/** A student's newest enrollments, so many at most, with the minutes of this day. */
export function listEnrollmentProgress(scope: InstitutionScope, studentId: string, day: string, limit: number): Promise<EnrollmentProgressRow[]> {
  return scope.sql<EnrollmentProgressRow>(enrollments, [scope.institutionId, studentId, day, limit]);
}

/** What a student did on a day, in all their enrollments; met where the target of one of them was. */
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

/** Those of these days on which a student reported minutes, in no order. */
export function listDays(scope: InstitutionScope, studentId: string, wanted: readonly string[]): Promise<DaySummaryRow[]> {
  return scope.sql<DaySummaryRow>(days, [scope.institutionId, studentId, wanted]);
}
