import type { Sql } from '../../db/statement';
import { newId } from '../../domain/ids';

/** Concepts of the curriculum, and days on which the students learned. */
const concepts = 200;
const days = 60;

/** Inserts a published curriculum that all institutions share; returns its id. */
export async function seedCurriculum(sql: Sql): Promise<string> {
  const id = newId('cur');
  await sql(`INSERT INTO curricula (id, title, status, created_at, published_at) VALUES ($1, 'Everything', 'published', now(), now())`, [id]);
  await sql(
    `INSERT INTO curriculum_concepts (curriculum_id, concept_id, position, title, requires) SELECT $1, 'c' || n, n, 'Concept ' || n, '{}' FROM generate_series(1, $2::int) n`,
    [id, concepts],
  );
  return id;
}

/** Enrolls a student who has started every concept and learned on each of the last days. */
export async function seedLearner(sql: Sql, institutionId: string, studentId: string, curriculumId: string): Promise<void> {
  const enrollmentId = newId('enr');
  await sql(
    `INSERT INTO alpha_enrollments (id, institution_id, curriculum_id, student_id, status, daily_target_minutes, created_at, updated_at) VALUES ($1, $2, $3, $4, 'active', 30, now(), now())`,
    [enrollmentId, institutionId, curriculumId, studentId],
  );
  await sql(
    `INSERT INTO alpha_mastery (student_id, curriculum_id, concept_id, institution_id, score, mastered_at, updated_at)
     SELECT $2, curriculum_id, concept_id, $1, position % 100, CASE WHEN position % 100 >= 80 THEN now() END, now() FROM curriculum_concepts WHERE curriculum_id = $3`,
    [institutionId, studentId, curriculumId],
  );
  await sql(
    `INSERT INTO alpha_days (enrollment_id, day, student_id, institution_id, minutes, target_minutes) SELECT $3, current_date - n, $2, $1, 20 + n % 20, 30 FROM generate_series(0, $4::int - 1) n`,
    [institutionId, studentId, enrollmentId, days],
  );
}

/**
 * Inserts a ledger of points for each of these students: the first has half of all entries, the others the remaining ones.
 * Points, and so ranks, differ with the lengths of the ledgers. Returns the length of the longest.
 */
export async function seedPoints(sql: Sql, institutionId: string, studentIds: readonly string[], entries: number): Promise<number> {
  const rest = Math.floor(entries / 2 / (studentIds.length - 1));
  const lengths = studentIds.map((_id, nth) => (nth === 0 ? entries - rest * (studentIds.length - 1) : rest));
  await sql(
    `INSERT INTO alpha_points (id, institution_id, student_id, number, points, balance, ref, created_at)
     SELECT 'pts_' || s || '_' || n, $1, s, n, 1, n, s || '_' || n, now() - (length - n) * interval '1 minute'
       FROM unnest($2::text[], $3::int[]) AS ledger (s, length), generate_series(1, length) n`,
    [institutionId, studentIds, lengths],
  );
  await sql(
    `INSERT INTO alpha_students (student_id, institution_id, points, points_earned, last_number)
     SELECT s, $1, length, length, length FROM unnest($2::text[], $3::int[]) AS ledger (s, length)`,
    [institutionId, studentIds, lengths],
  );
  // As on any service that has run for a minute.
  await sql('ANALYZE users, institution_emails, alpha_students, alpha_points, alpha_mastery, alpha_days');
  return Math.max(...lengths);
}
