import { badges, insertBadges, type Badge } from '../../db/repositories/alpha/badges';
import type { Transaction } from '../context';

/** What a student has achieved that may earn a badge; absent fields were not checked. */
export interface Achievements {
  points?: number;
  streakDays?: number;
  mastered?: number;
  completed?: boolean;
}

/** When each badge is earned (section Alpha Learning). A student earns a badge once and keeps it. */
const rules: Record<Badge, (reached: Achievements) => boolean> = {
  first_mastery: ({ mastered = 0 }) => mastered >= 1,
  streak_7_days: ({ streakDays = 0 }) => streakDays >= 7,
  points_100: ({ points = 0 }) => points >= 100,
  points_1000: ({ points = 0 }) => points >= 1_000,
  curriculum_complete: ({ completed = false }) => completed,
};

/** Grants a locked student the badges earned and not yet granted, and returns them; each emits `alpha.badge_granted`. */
export async function grantBadges(tx: Transaction, studentId: string, reached: Achievements): Promise<Badge[]> {
  const earned = badges.filter((badge) => rules[badge](reached));
  if (earned.length === 0) return [];
  const granted = new Set(await insertBadges(tx, studentId, earned, tx.now));
  const fresh = earned.filter((badge) => granted.has(badge));
  for (const badge of fresh) tx.emit('alpha.badge_granted', { student_id: studentId, badge });
  return fresh;
}
