import type { EnrollmentRow } from '../../../db/repositories/alpha/enrollments';
import type { EnrollmentResult } from '../../../domain/alpha/enrollStudents';
import { isoOrNull } from '../../http/request/fields';
import type { EnrollmentResponse, EnrollmentResultResponse } from './enrollments.schemas';

/** An enrollment (section Alpha Learning). */
export function presentEnrollment(row: EnrollmentRow): EnrollmentResponse {
  return {
    id: row.id,
    curriculum_id: row.curriculum_id,
    student_id: row.student_id,
    status: row.status,
    daily_target_minutes: row.daily_target_minutes,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    completed_at: isoOrNull(row.completed_at),
  };
}

/** What came of enrolling. */
export const presentEnrollmentResult = ({ enrollments, ...counts }: EnrollmentResult): EnrollmentResultResponse => ({ ...counts, enrollments: enrollments.map(presentEnrollment) });
