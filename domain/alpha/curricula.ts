import { countOwnCurricula, findOwnCurriculum, insertCurriculum, markPublished, type CurriculumRow } from '../../db/repositories/alpha/curricula';
import { lockInstitution } from '../../db/repositories/institutions/institutions';
import type { Transaction } from '../context';
import { DomainError, validationError, notFound } from '../errors';
import { newId } from '../ids';
import { conceptIssues, type Concept } from './concepts';

/** The fields of a new curriculum. */
export interface NewCurriculum {
  title: string;
  concepts: { id: string; title: string; requires?: string[] | undefined }[];
}

/** Maximum number of issues in one error response: every requirement of every concept may have one. */
const maxIssues = 100;

const maxOwnCurricula = 500;

/** `conflict` if the institution has no capacity for another curriculum; serialises concurrent creations. */
async function requireCurriculumCapacity(tx: Transaction): Promise<void> {
  await lockInstitution(tx);
  if ((await countOwnCurricula(tx)) >= maxOwnCurricula) throw new DomainError('conflict', `An institution can have at most ${maxOwnCurricula} curricula of its own.`);
}

/**
 * Creates a draft curriculum of an institution or, if `owner` is null, one shared by all (platform API, POST
 * /alpha/curricula). `validation_error` for duplicate ids and for requirements that name no concept or form a cycle;
 * `conflict` if the institution already has 500, drafts included.
 */
export async function createCurriculum(tx: Transaction, owner: string | null, { title, concepts: conceptInputs }: NewCurriculum): Promise<CurriculumRow> {
  const concepts: Concept[] = conceptInputs.map(({ requires = [], ...concept }) => ({ ...concept, requires }));
  const issues = conceptIssues(concepts);
  if (issues.length > 0) throw validationError(...issues.slice(0, maxIssues));
  if (owner !== null) await requireCurriculumCapacity(tx);
  const curriculum: CurriculumRow = { id: newId('cur'), institution_id: owner, title, status: 'draft', concepts, created_at: tx.now, published_at: null };
  await insertCurriculum(tx.sql, curriculum);
  return curriculum;
}

/**
 * Publishes a curriculum of this owner, so that students can be enrolled in it. No-op if already published (platform
 * API, POST /alpha/curricula/{id}/publish). `not_found` for a curriculum of another owner.
 */
export async function publishCurriculum(tx: Transaction, owner: string | null, id: string): Promise<CurriculumRow> {
  await markPublished(tx.sql, id, owner, tx.now);
  const curriculum = await findOwnCurriculum(tx.sql, id, owner);
  if (curriculum === undefined) throw owner === null ? notFound('shared curriculum', { within: 'service' }) : notFound('curriculum');
  return curriculum;
}
