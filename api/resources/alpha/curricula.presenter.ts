import type { CurriculumRow } from '../../../db/repositories/alphaCurricula';

/** A curriculum as both APIs answer it. */
export function presentCurriculum({ id, institution_id, title, status, concepts, published_at, created_at }: CurriculumRow): object {
  return {
    id,
    title,
    shared: institution_id === null,
    status,
    concepts,
    concept_count: concepts.length,
    published_at: published_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
  };
}
