import type { AlphaStudentRow } from '../../db/repositories/alpha/students';

/** Consecutive days on which a student met a daily target, as they are kept: up to the last such day. */
export type Streak = Pick<AlphaStudentRow, 'streak_days' | 'longest_streak_days' | 'last_met_day'>;

/** A day and the one before it, `YYYY-MM-DD`, as the institution's time zone has them. */
export interface Days {
  today: string;
  yesterday: string;
}

/** The streak once the target of today is met. A day that was counted is not counted again. */
export function withToday(streak: Streak, { today, yesterday }: Days): Streak {
  const { streak_days: before, longest_streak_days: longest, last_met_day: last } = streak;
  if (last !== null && last >= today) return streak;
  const days = last === yesterday ? before + 1 : 1;
  return { streak_days: days, longest_streak_days: Math.max(longest, days), last_met_day: today };
}

/** How long the streak is now: none where neither today nor yesterday belongs to it. */
export function currentStreak({ streak_days: days, last_met_day: last }: Pick<Streak, 'streak_days' | 'last_met_day'>, { yesterday }: Pick<Days, 'yesterday'>): number {
  return last !== null && last >= yesterday ? days : 0;
}
