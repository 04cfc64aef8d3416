import type { InstitutionScope } from '../../database';
import { readPage, type ListQuery, type Page, type PageOf } from '../../page';
import { statement } from '../../statement';

/** A student's best score in a concept, and since when it is mastered. */
export interface MasteryRow {
  score: number;
  mastered_at: Date | null;
}

/** Identifies a concept of a curriculum, of one student. */
export interface StudentConcept {
  studentId: string;
  curriculumId: string;
  conceptId: string;
}

const raise = statement(
  'alpha_mastery_raise',
  `INSERT INTO alpha_mastery AS m (institution_id, student_id, curriculum_id, concept_id, score, mastered_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT (student_id, curriculum_id, concept_id) DO UPDATE
      SET score = greatest(m.score, excluded.score), mastered_at = coalesce(m.mastered_at, excluded.mastered_at), updated_at = greatest(m.updated_at, excluded.updated_at)
   RETURNING m.score::float8 AS score, m.mastered_at`,
);

/** Stores a locked student's score in a concept unless the previous one is better; returns the better one. */
export async function raiseMastery(scope: InstitutionScope, { studentId, curriculumId, conceptId }: StudentConcept, reached: MasteryRow, now: Date): Promise<MasteryRow> {
  const [row] = await scope.sql<MasteryRow>(raise, [scope.institutionId, studentId, curriculumId, conceptId, reached.score, reached.mastered_at, now]);
  if (row === undefined) throw new Error('The mastery was not written');
  return row;
}

const byConcept = statement(
  'alpha_mastery_one',
  `SELECT m.score::float8 AS score, m.mastered_at FROM alpha_mastery m
    WHERE m.institution_id = $1 AND m.student_id = $2 AND m.curriculum_id = $3 AND m.concept_id = $4`,
);

/** Returns a student's score in a concept; undefined if they have not started it. */
export async function findMastery(scope: InstitutionScope, { studentId, curriculumId, conceptId }: StudentConcept): Promise<MasteryRow | undefined> {
  const [row] = await scope.sql<MasteryRow>(byConcept, [scope.institutionId, studentId, curriculumId, conceptId]);
  return row;
}

/** A student's progress in a curriculum: the numbers of its concepts and of the mastered ones. */
export interface CurriculumProgress {
  concepts: number;
  mastered: number;
}

/** The columns of {@link CurriculumProgress}, for an enrollment `n`. */
export const progressColumns = `(SELECT count(*)::int FROM curriculum_concepts k WHERE k.curriculum_id = n.curriculum_id) AS concepts,
  (SELECT count(*)::int FROM alpha_mastery m WHERE m.student_id = n.student_id AND m.curriculum_id = n.curriculum_id AND m.mastered_at IS NOT NULL) AS mastered`;

const progress = statement('alpha_curriculum_progress', `SELECT ${progressColumns} FROM alpha_enrollments n WHERE n.institution_id = $1 AND n.id = $2`);

/** Returns the progress of an enrollment's student in its curriculum. */
export async function readCurriculumProgress(scope: InstitutionScope, enrollmentId: string): Promise<CurriculumProgress> {
  const [row] = await scope.sql<CurriculumProgress>(progress, [scope.institutionId, enrollmentId]);
  if (row === undefined) throw new Error('The enrollment is not of this institution');
  return row;
}

/** A concept of a curriculum that a student is or was enrolled in; score and date are null until it is started. */
export interface ConceptStateRow {
  curriculum_id: string;
  curriculum_title: string;
  concept_id: string;
  title: string;
  requires: string[];
  score: number | null;
  mastered_at: Date | null;
  updated_at: Date | null;
}

// A student who is enrolled again has that curriculum at the front. A walk keeps the order that it began with: enrollments after the
// newest one of then (`as_of`, which its positions carry) do not count.
const states: Pick<ListQuery, 'columns' | 'from' | 'order'> = {
  columns: `c.id AS curriculum_id, c.title AS curriculum_title, k.concept_id, k.title, k.requires, m.score::float8 AS score, m.mastered_at, m.updated_at`,
  from: `(SELECT institution_id, student_id, curriculum_id, as_of, max(created_at) AS enrolled_at
            FROM (SELECT *, coalesce($3::timestamptz, max(created_at) OVER ()) AS as_of
                    FROM alpha_enrollments WHERE institution_id = $1 AND student_id = $2) known
           WHERE created_at <= as_of GROUP BY institution_id, student_id, curriculum_id, as_of) n
    JOIN curricula c ON c.id = n.curriculum_id JOIN curriculum_concepts k ON k.curriculum_id = c.id
    LEFT JOIN alpha_mastery m ON m.student_id = n.student_id AND m.curriculum_id = k.curriculum_id AND m.concept_id = k.concept_id`,
  order: [
    { sql: 'n.as_of', type: 'timestamptz', direction: 'DESC' },
    { sql: 'n.enrolled_at', type: 'timestamptz', direction: 'DESC' },
    { sql: 'c.id', type: 'text', direction: 'DESC' },
    { sql: 'k.position', type: 'integer', direction: 'ASC' },
  ],
};

/** One page of a student's concepts: of the curriculum that they were last enrolled in first, in its own order. */
export function listConceptStates(scope: InstitutionScope, studentId: string, page: Page): Promise<PageOf<ConceptStateRow>> {
  const [asOf = null] = page.cursor?.after ?? [];
  const conditions = [
    { sql: 'n.institution_id = $', value: scope.institutionId },
    { sql: 'n.student_id = $', value: studentId },
    { sql: 'n.as_of = coalesce($::timestamptz, n.as_of)', value: asOf },
  ];
  return readPage(scope.sql, { ...states, conditions }, page);
}
