import type { InstitutionScope } from '../../database';
import { definedConditions, newestFirst, readPage, type Page, type PageOf } from '../../page';
import { statement } from '../../statement';
import { personCondition } from '../people/licensedPeople';

export const enrollmentStatuses = ['active', 'paused', 'completed', 'withdrawn'] as const;
export type EnrollmentStatus = (typeof enrollmentStatuses)[number];

/** A student's enrollment in a curriculum. */
export interface EnrollmentRow {
  id: string;
  curriculum_id: string;
  student_id: string;
  status: EnrollmentStatus;
  daily_target_minutes: number;
  created_at: Date;
  updated_at: Date;
  completed_at: Date | null;
}

const columns = 'n.id, n.curriculum_id, n.student_id, n.status, n.daily_target_minutes, n.created_at, n.updated_at, n.completed_at';

const lockActive = statement(
  'alpha_hold_students',
  `SELECT u.id FROM users u WHERE u.institution_id = $1 AND u.id = ANY ($2::text[]) AND u.status <> 'suspended' ORDER BY u.id FOR NO KEY UPDATE`,
);

/** Locks and returns those of these students who are not suspended, by id, so that a suspension or another enrollment is committed before or after. */
export async function lockActiveStudents(scope: InstitutionScope, studentIds: readonly string[]): Promise<string[]> {
  const rows = await scope.sql<{ id: string }>(lockActive, [scope.institutionId, studentIds]);
  return rows.map(({ id }) => id);
}

// An open enrollment is locked and returned unchanged; the update without effect is what locks it. Not prepared: up to 200
// rows.
const insertMissing = `INSERT INTO alpha_enrollments AS n (id, institution_id, curriculum_id, student_id, status, daily_target_minutes, created_at, updated_at)
  SELECT w.id, $1, $2, w.student_id, 'active', $5, w.at, w.at
    FROM (SELECT *, greatest($6::timestamptz, (SELECT max(created_at) + interval '1 millisecond' FROM alpha_enrollments WHERE institution_id = $1 AND student_id = named.student_id)) AS at
            FROM unnest($3::text[], $4::text[]) AS named (id, student_id)) w
  ON CONFLICT (student_id, curriculum_id) WHERE status <> 'withdrawn' DO UPDATE SET updated_at = n.updated_at
  RETURNING ${columns}`;

/** Students to be enrolled in a curriculum, each with the id for the new enrollment. */
export interface NewEnrollments {
  curriculumId: string;
  dailyTargetMinutes: number;
  students: readonly { id: string; studentId: string }[];
}

/**
 * Enrolls each of these locked students who has no open enrollment in the curriculum; returns all enrollments, in the order given.
 * The enrollments of a student have rising times, in the order of their commits.
 */
export async function ensureEnrollments(scope: InstitutionScope, { curriculumId, dailyTargetMinutes, students }: NewEnrollments, now: Date): Promise<EnrollmentRow[]> {
  const ids = students.map(({ id }) => id);
  const studentIds = students.map(({ studentId }) => studentId);
  return scope.sql<EnrollmentRow>(insertMissing, [scope.institutionId, curriculumId, ids, studentIds, dailyTargetMinutes, now]);
}

const lockById = statement('alpha_enrollment_lock', `SELECT ${columns} FROM alpha_enrollments n WHERE n.institution_id = $1 AND n.id = $2 FOR NO KEY UPDATE`);

/** Locks an enrollment of the institution. */
export async function lockEnrollment(scope: InstitutionScope, id: string): Promise<EnrollmentRow | undefined> {
  const [row] = await scope.sql<EnrollmentRow>(lockById, [scope.institutionId, id]);
  return row;
}

const updateStatus = statement(
  'alpha_enrollment_turn',
  `UPDATE alpha_enrollments n SET status = $3, updated_at = greatest(n.updated_at, $4::timestamptz),
          completed_at = CASE WHEN $3 = 'completed' THEN $4::timestamptz END
    WHERE n.institution_id = $1 AND n.id = $2 RETURNING ${columns}`,
);

/** Updates the status of a locked enrollment. */
export async function writeEnrollmentStatus(scope: InstitutionScope, id: string, status: EnrollmentStatus, now: Date): Promise<EnrollmentRow> {
  const [row] = await scope.sql<EnrollmentRow>(updateStatus, [scope.institutionId, id, status, now]);
  if (row === undefined) throw new Error('The enrollment is not of this institution');
  return row;
}

/** The filters of `GET /alpha/enrollments`; undefined ones do not restrict. */
export interface EnrollmentFilter {
  /** The student's id or login email. */
  student_id?: string | undefined;
}

/** One page of the institution's enrollments, newest first. */
export function listEnrollments(scope: InstitutionScope, { student_id }: EnrollmentFilter, page: Page): Promise<PageOf<EnrollmentRow>> {
  const conditions = definedConditions([
    { sql: 'n.institution_id = $', value: scope.institutionId },
    { sql: personCondition('n.student_id', student_id ?? ''), value: student_id },
  ]);
  return readPage(scope.sql, { columns, from: 'alpha_enrollments n', key: 'n.id', conditions, order: newestFirst('n.created_at', 'n.id') }, page);
}
