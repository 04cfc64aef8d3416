import { conceptStatus } from '../../../domain/alpha/mastery';
import type { ProgressOutcome } from '../../../domain/alpha/recordProgress';
import { isoOrNull } from '../../http/request/fields';
import type { ProgressResponse } from './progress.app.schemas';

/** Returns a student's progress as the response to their app. */
export function presentProgress({ applied, conceptId, concept, enrollment, progress, streakDays, granted }: ProgressOutcome): ProgressResponse {
  const { concepts, mastered } = progress;
  return {
    applied,
    concept: { id: conceptId, score: concept.score, status: conceptStatus(concept), mastered_at: isoOrNull(concept.mastered_at) },
    enrollment: { id: enrollment.id, status: enrollment.status, mastered, concepts },
    streak_days: streakDays,
    badges_granted: granted,
  };
}
