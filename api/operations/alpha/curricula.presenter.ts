import type { CurriculumRow, ListedCurriculumRow } from '../../../db/repositories/alpha/curricula';
import { isoOrNull } from '../../http/request/fields';
import type { CurriculumResponse, CurriculumDetailsResponse } from './curricula.schemas';

/** A curriculum in a list, without its concepts. */
export function presentListedCurriculum({ id, institution_id, title, status, concept_count, published_at, created_at }: ListedCurriculumRow): CurriculumResponse {
  return {
    id,
    title,
    shared: institution_id === null,
    status,
    concept_count,
    published_at: isoOrNull(published_at),
    created_at: created_at.toISOString(),
  };
}

/** A curriculum with its concepts, as both APIs return it. */
export const presentCurriculum = ({ concepts, ...curriculum }: CurriculumRow): CurriculumDetailsResponse =>
  ({ ...presentListedCurriculum({ ...curriculum, concept_count: concepts.length }), concepts });
