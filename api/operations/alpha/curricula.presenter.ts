import type { CurriculumRow, ListedCurriculumRow } from '../../../db/repositories/alpha/curricula';

/** A curriculum as a list answers it, without its concepts. */
export function presentListedCurriculum({ id, institution_id, title, status, concept_count, published_at, created_at }: ListedCurriculumRow): object {
  return {
    id,
    title,
    shared: institution_id === null,
    status,
    concept_count,
    published_at: published_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
  };
}

/** A curriculum with its concepts, as both APIs answer it. */
export const presentCurriculum = ({ concepts, ...curriculum }: CurriculumRow): object =>
  ({ ...presentListedCurriculum({ ...curriculum, concept_count: concepts.length }), concepts });
