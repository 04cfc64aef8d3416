import type { InstitutionScope } from '../../database';
import { newestFirst, readPage, type Page, type PageOf } from '../../page';
import { statement, type Sql } from '../../statement';

export const curriculumStatuses = ['draft', 'published'] as const;
export type CurriculumStatus = (typeof curriculumStatuses)[number];

/** A concept as stored, in the order given. */
export interface ConceptRow {
  id: string;
  title: string;
  requires: string[];
}

/** A curriculum with its concepts; without an institution it is shared by all. */
export interface CurriculumRow {
  id: string;
  institution_id: string | null;
  title: string;
  status: CurriculumStatus;
  concepts: ConceptRow[];
  created_at: Date;
  published_at: Date | null;
}

/** A curriculum in a list: with the number of its concepts instead of the concepts. */
export type ListedCurriculumRow = Omit<CurriculumRow, 'concepts'> & { concept_count: number };

const baseColumns = 'c.id, c.institution_id, c.title, c.status, c.created_at, c.published_at';
const listColumns = `${baseColumns}, (SELECT count(*)::int FROM curriculum_concepts k WHERE k.curriculum_id = c.id) AS concept_count`;
const fullColumns = `${baseColumns},
  (SELECT json_agg(json_build_object('id', k.concept_id, 'title', k.title, 'requires', k.requires) ORDER BY k.position)
     FROM curriculum_concepts k WHERE k.curriculum_id = c.id) AS concepts`;

const insert = statement('curriculum_insert_draft', "INSERT INTO curricula (id, institution_id, title, status, created_at) VALUES ($1, $2, $3, 'draft', $4)");
// In a statement of its own: the policy of concepts looks for the curriculum, which one statement would not see yet.
const insertConcepts = statement(
  'curriculum_insert_concepts',
  `INSERT INTO curriculum_concepts (curriculum_id, concept_id, position, title, requires)
   SELECT $1, k.id, k.position, k.title, k.requires
     FROM ROWS FROM (json_to_recordset($2::json) AS (id text, title text, requires text[])) WITH ORDINALITY AS k (id, title, requires, position)`,
);

/** Inserts a draft with its concepts, in order. */
export async function insertCurriculum(sql: Sql, { id, institution_id, title, concepts, created_at }: CurriculumRow): Promise<void> {
  await sql(insert, [id, institution_id, title, created_at]);
  await sql(insertConcepts, [id, JSON.stringify(concepts)]);
}

const count = statement('curricula_count', 'SELECT count(*)::int AS count FROM curricula WHERE institution_id = $1');

/** Counts an institution's own curricula, including drafts. */
export async function countOwnCurricula({ institutionId, sql }: InstitutionScope): Promise<number> {
  const [row] = await sql<{ count: number }>(count, [institutionId]);
  return row?.count ?? 0;
}

const publish = statement(
  'curriculum_publish',
  `UPDATE curricula SET status = 'published', published_at = $3
    WHERE id = $1 AND institution_id IS NOT DISTINCT FROM $2 AND status = 'draft'`,
);
const byOwner = statement('curriculum_by_owner', `SELECT ${fullColumns} FROM curricula c WHERE c.id = $1 AND c.institution_id IS NOT DISTINCT FROM $2`);

/** Publishes an owner's draft; no-op if it is published. */
export async function markPublished(sql: Sql, id: string, owner: string | null, now: Date): Promise<void> {
  await sql(publish, [id, owner, now]);
}

/** Returns a curriculum of exactly this owner; null for shared ones. */
export async function findOwnCurriculum(sql: Sql, id: string, owner: string | null): Promise<CurriculumRow | undefined> {
  const [row] = await sql<CurriculumRow>(byOwner, [id, owner]);
  return row;
}

const open = `(c.institution_id = $1 OR c.institution_id IS NULL) AND c.status = 'published'`;
const openById = statement('curriculum_open', `SELECT 1 FROM curricula c WHERE ${open} AND c.id = $2`);
const openFullById = statement('curriculum_open_whole', `SELECT ${fullColumns} FROM curricula c WHERE ${open} AND c.id = $2`);

/** Whether an institution's students can be enrolled in a curriculum: it is published, and shared or the institution's own. */
export async function isOpenCurriculum({ institutionId, sql }: InstitutionScope, id: string): Promise<boolean> {
  return (await sql(openById, [institutionId, id])).length > 0;
}

/** A published curriculum with its concepts, shared or the institution's own. */
export async function findOpenCurriculum({ institutionId, sql }: InstitutionScope, id: string): Promise<CurriculumRow | undefined> {
  const [row] = await sql<CurriculumRow>(openFullById, [institutionId, id]);
  return row;
}

/** One page of the published curricula, shared ones and the institution's own, newest first. */
export function listOpenCurricula({ institutionId, sql }: InstitutionScope, page: Page): Promise<PageOf<ListedCurriculumRow>> {
  const conditions = [
    { sql: '(c.institution_id = $ OR c.institution_id IS NULL)', value: institutionId },
    { sql: 'c.status = $', value: 'published' },
  ];
  return readPage(sql, { columns: listColumns, from: 'curricula c', conditions, order: newestFirst('c.created_at', 'c.id') }, page);
}

const concept = statement('curriculum_concept', 'SELECT 1 FROM curriculum_concepts WHERE curriculum_id = $1 AND concept_id = $2');

/** Whether a curriculum has a concept of this id. */
export async function hasConcept({ sql }: InstitutionScope, curriculumId: string, conceptId: string): Promise<boolean> {
  return (await sql(concept, [curriculumId, conceptId])).length > 0;
}
