import { isOpenCurriculum } from '../../db/repositories/alpha/curricula';
import { lockActiveStudents, ensureEnrollments, type EnrollmentRow } from '../../db/repositories/alpha/enrollments';
import { matchStudents } from '../../db/repositories/students/students';
import type { Transaction } from '../context';
import { notFound } from '../errors';
import { noValidStudents } from '../groups/namedMembers';
import { newId } from '../ids';

/** Limits of an enrollment request: students per call, and daily target in minutes. */
export const enrollmentLimits = { students: 200, minutes: { min: 5, max: 480, default: 30 } };

/** The students to enroll and the curriculum (section Alpha Learning, POST /alpha/enrollments). */
export interface EnrollmentRequest {
  curriculum_id: string;
  /** Internal ids or login emails. */
  student_ids: readonly string[];
  daily_target_minutes?: number | undefined;
}

/** The enrollments of all students, the number of new, existing and skipped ones, and the `student_ids` that named no student, as sent. */
export interface EnrollmentResult {
  enrolled: number;
  already_enrolled: number;
  skipped: number;
  unknown_students: string[];
  enrollments: EnrollmentRow[];
}

/**
 * Enrolls students in a published curriculum. An enrollment that is not withdrawn stays unchanged; unknown, foreign,
 * repeated and suspended students are skipped. `not_found` for the curriculum, `no_valid_students` if all students are
 * skipped.
 */
export async function enrollStudents(tx: Transaction, { curriculum_id, student_ids, daily_target_minutes }: EnrollmentRequest): Promise<EnrollmentResult> {
  if (!(await isOpenCurriculum(tx, curriculum_id))) throw notFound('published curriculum');
  const { ids, skipped: unknown_students } = await matchStudents(tx, student_ids);
  const students = await lockActiveStudents(tx, ids);
  if (students.length === 0) throw noValidStudents('None of student_ids is a student of this institution who can be enrolled.');
  const wanted = students.map((studentId) => ({ id: newId('enr'), studentId }));
  const dailyTargetMinutes = daily_target_minutes ?? enrollmentLimits.minutes.default;
  const enrollments = await ensureEnrollments(tx, { curriculumId: curriculum_id, dailyTargetMinutes, students: wanted }, tx.now);
  const fresh = new Set(wanted.map(({ id }) => id));
  const enrolled = enrollments.filter(({ id }) => fresh.has(id)).length;
  return { enrolled, already_enrolled: enrollments.length - enrolled, skipped: student_ids.length - students.length, unknown_students, enrollments };
}
