import type { MasteryRow } from '../../db/repositories/alpha/mastery';

/** Minimum score at which a concept is mastered (section Alpha Learning). */
export const masteryThreshold = 80;

/** Returns the row for a score at `now`; the caller keeps an earlier mastery. */
export const masteryForScore = (score: number, now: Date): MasteryRow => ({ score, mastered_at: score >= masteryThreshold ? now : null });

/** A student's progress in a concept. */
export const conceptStatuses = ['not_started', 'learning', 'mastered'] as const;
export type ConceptStatus = (typeof conceptStatuses)[number];

/** Returns the status of a concept that has been started. */
export function conceptStatus(concept: { score: number; mastered_at: Date | null }): Exclude<ConceptStatus, 'not_started'>;
/** Returns the status of a concept from its stored row; a concept without a score has not been started. */
export function conceptStatus(concept: { score: number | null; mastered_at: Date | null }): ConceptStatus;
export function conceptStatus({ score, mastered_at: masteredAt }: { score: number | null; mastered_at: Date | null }): ConceptStatus {
  if (masteredAt !== null) return 'mastered';
  return score === null ? 'not_started' : 'learning';
}
