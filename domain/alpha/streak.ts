import type { AlphaStudentRow } from '../../db/repositories/alpha/students';

/** Consecutive days on which a student met a daily target, as stored: up to the last such day. */
export type Streak = Pick<AlphaStudentRow, 'streak_days' | 'longest_streak_days' | 'last_met_day'>;

/** Today and yesterday as `YYYY-MM-DD` in the institution's time zone. */
export interface Days {
  today: string;
  yesterday: string;
}

/** Returns the streak after today's target is met. No-op if today is already counted. */
export function withToday(streak: Streak, { today, yesterday }: Days): Streak {
  const { streak_days: before, longest_streak_days: longest, last_met_day: last } = streak;
  if (last !== null && last >= today) return streak;
  const days = last === yesterday ? before + 1 : 1;
  return { streak_days: days, longest_streak_days: Math.max(longest, days), last_met_day: today };
}

/** Returns the current length of the streak; 0 if it includes neither today nor yesterday. */
export function currentStreak({ streak_days: days, last_met_day: last }: Pick<Streak, 'streak_days' | 'last_met_day'>, { yesterday }: Pick<Days, 'yesterday'>): number {
  return last !== null && last >= yesterday ? days : 0;
}
