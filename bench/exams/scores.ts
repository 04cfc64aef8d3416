import type { Sql } from '../../db/statement';
import { newId } from '../../domain/ids';

const studentsPerStatement = 20_000;

/** The institution of the exam, and the owner of the exam and its groups. */
interface Owner {
  id: string;
  adminId: string;
}

/** Inserts a published exam with these students in `groups` groups, all of them graded; every fifth student is in two of the groups. Returns its id. */
export async function seedScores(sql: Sql, { id, adminId }: Owner, studentIds: readonly string[], groups: number): Promise<string> {
  const examId = newId('exm');
  await sql(
    `INSERT INTO exams (id, institution_id, faculty_id, title, exam_type, status, max_score, allow_late_submission, late_penalty_percentage,
            proctoring, ai_policy, published_at, created_at, updated_at)
     VALUES ($1, $2, $3, 'Algebra', 'exam', 'published', 100, false, 0, '{}', '{}', now(), now(), now())`,
    [examId, id, adminId],
  );
  const groupIds = Array.from({ length: groups }, () => newId('grp'));
  await sql(`INSERT INTO groups (id, institution_id, faculty_id, name, created_at, updated_at) SELECT g, $1, $2, 'Class', now(), now() FROM unnest($3::text[]) g`, [id, adminId, groupIds]);
  await sql(
    `INSERT INTO group_members (group_id, user_id, institution_id, created_at)
     SELECT ($3::text[])[1 + (n + k) % $4::int], s, $1, now() FROM unnest($2::text[]) WITH ORDINALITY students (s, n), generate_series(0, 1) k
      WHERE k = 0 OR ($4::int > 1 AND n % 5 = 0)`,
    [id, studentIds, groupIds, groups],
  );
  await sql('INSERT INTO exam_assignments (exam_id, group_id, institution_id, created_at) SELECT $1, g, $2, now() FROM unnest($3::text[]) g', [examId, id, groupIds]);
  // In parts that end within the statement timeout on a busy machine.
  for (let at = 0; at < studentIds.length; at += studentsPerStatement) await insertGraded(sql, id, examId, studentIds.slice(at, at + studentsPerStatement));
  return examId;
}

/** Inserts an attempt and a graded submission of each of these students. */
async function insertGraded(sql: Sql, institutionId: string, examId: string, studentIds: readonly string[]): Promise<void> {
  await sql(
    `WITH started AS (
       INSERT INTO attempts (id, institution_id, exam_id, student_id, status, started_at, ended_at)
       SELECT 'att_' || md5($2 || s), $1, $2, s, 'submitted', now(), now() FROM unnest($3::text[]) s RETURNING id, student_id
     )
     INSERT INTO submissions (id, institution_id, exam_id, student_id, attempt_id, version, status, is_late, score, percentage, max_score,
            late_penalty_percentage, submitted_at, graded_at, updated_at)
     SELECT 'sub_' || id, $1, $2, student_id, id, 1, 'graded', false, 80, 80, 100, 0, now(), now(), now() FROM started`,
    [institutionId, examId, studentIds],
  );
}
