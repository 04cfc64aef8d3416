import { newId } from '../../../domain/ids';
import type { TestApi, TestInstitution } from '../api';

/** Enrolls students in a curriculum of the institution's own, long ago; one statement for any number. */
export async function seedEnrollments({ api }: TestApi, { id: institutionId }: Pick<TestInstitution, 'id'>, studentIds: readonly string[], status = 'active'): Promise<void> {
  const curriculumId = newId('cur');
  await api.domain.database.sql(
    `WITH curriculum AS (
       INSERT INTO curricula (id, institution_id, title, status, created_at, published_at) VALUES ($2, $1, 'Fractions', 'published', '2020-01-01', '2020-01-01')
     )
     INSERT INTO alpha_enrollments (id, institution_id, curriculum_id, student_id, status, daily_target_minutes, created_at, updated_at)
     SELECT 'enr_' || s, $1, $2, s, $4, 30, '2020-01-01', '2020-01-01' FROM unnest($3::text[]) s`,
    [institutionId, curriculumId, studentIds, status],
  );
}

/** Minutes of a day of students that {@link seedEnrollments} enrolled: the nth learned so many plus n. */
export async function seedLearningDay({ api }: TestApi, { id: institutionId }: Pick<TestInstitution, 'id'>, studentIds: readonly string[], day: string, minutes: number): Promise<void> {
  await api.domain.database.sql(
    `INSERT INTO alpha_days (enrollment_id, day, student_id, institution_id, minutes, target_minutes)
     SELECT 'enr_' || s, $3, s, $1, $4::integer + nth - 1, 30 FROM unnest($2::text[]) WITH ORDINALITY AS s (s, nth)`,
    [institutionId, studentIds, day, minutes],
  );
}

/** Inserts that many progress reports of an enrollment's student at a moment, by default on its UTC day. */
export async function seedProgressReports({ api }: TestApi, enrollmentId: string, { createdAt, count = 1, day = createdAt.toISOString().slice(0, 10) }: { createdAt: Date; count?: number; day?: string }): Promise<void> {
  await api.domain.database.sql(
    `INSERT INTO alpha_progress (student_id, ref, institution_id, enrollment_id, concept_id, score, minutes, day, created_at)
     SELECT student_id, 'seeded-' || gen_random_uuid(), institution_id, id, 'c1', 50, 0, $2::date, $3 FROM alpha_enrollments, generate_series(1, $4::int) WHERE id = $1`,
    [enrollmentId, day, createdAt, count],
  );
}
