import type { MasteryRow } from '../../db/repositories/alpha/mastery';

/** The score from which on a concept is mastered (section Alpha Learning). */
export const masteryThreshold = 80;

/** What a score is worth at this moment; what was mastered once stays mastered. */
export const masteryForScore = (score: number, now: Date): MasteryRow => ({ score, mastered_at: score >= masteryThreshold ? now : null });

/** How far a student is with a concept. */
export const conceptStatuses = ['not_started', 'learning', 'mastered'] as const;
export type ConceptStatus = (typeof conceptStatuses)[number];

/** Of one that was begun. */
export function conceptStatus(concept: { score: number; mastered_at: Date | null }): Exclude<ConceptStatus, 'not_started'>;
/** The status of a concept by what is kept of it; nothing is kept of one that was never begun. */
export function conceptStatus(concept: { score: number | null; mastered_at: Date | null }): ConceptStatus;
export function conceptStatus({ score, mastered_at: masteredAt }: { score: number | null; mastered_at: Date | null }): ConceptStatus {
  if (masteredAt !== null) return 'mastered';
  return score === null ? 'not_started' : 'learning';
}
