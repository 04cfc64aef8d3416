import { countOwnCurricula, findOwnCurriculum, insertCurriculum, markPublished, type CurriculumRow } from '../../db/repositories/alpha/curricula';
import { lockInstitution } from '../../db/repositories/institutions/institutions';
import type { Transaction } from '../context';
import { DomainError, validationError, noSuch, notFound } from '../errors';
import { newId } from '../ids';
import { conceptIssues, type Concept } from './concepts';

/** A curriculum as it is first told. */
export interface NewCurriculum {
  title: string;
  concepts: { id: string; title: string; requires?: string[] | undefined }[];
}

/** Problems that one refusal names: every requirement of every concept may have one. */
const maxIssues = 100;

const maxOwnCurricula = 500;

/** One more curriculum of the institution's own, whatever others are made at this moment. */
async function requireCurriculumCapacity(tx: Transaction): Promise<void> {
  await lockInstitution(tx);
  if ((await countOwnCurricula(tx)) >= maxOwnCurricula) throw new DomainError('conflict', `An institution has at most ${maxOwnCurricula} curricula of its own.`);
}

/**
 * Creates a draft, of an institution or, where `owner` is null, shared by all (platform API, POST /alpha/curricula).
 * `validation_error` for ids that stand twice, and for requirements that name no concept or go in a circle; `conflict`
 * at 500 of an institution, drafts among them.
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
 * Publishes a curriculum of this owner, from when on students can be enrolled in it; a published one stays as it is
 * (platform API, POST /alpha/curricula/{id}/publish). `not_found` for any other, shared and own ones apart.
 */
export async function publishCurriculum(tx: Transaction, owner: string | null, id: string): Promise<CurriculumRow> {
  await markPublished(tx.sql, id, owner, tx.now);
  const curriculum = await findOwnCurriculum(tx.sql, id, owner);
  if (curriculum === undefined) throw owner === null ? noSuch('shared curriculum') : notFound('curriculum');
  return curriculum;
}
