import { schedules, type ScheduleDefinition } from '../../workflows/contract';

const dayMs = 86_400_000;
const monday = 1;

/** One day of the simulated week: its number from 1, and its midnight in UTC. */
export interface SimulatedDay {
  number: number;
  midnight: Date;
}

/** Returns when a Schedule runs on a day; undefined if it does not. */
export function scheduledRunTime({ midnight }: SimulatedDay, { calendar }: ScheduleDefinition): Date | undefined {
  if (calendar.dayOfWeek !== undefined && midnight.getUTCDay() !== monday) return undefined;
  return new Date(midnight.getTime() + (calendar.hour * 60 + calendar.minute) * 60_000);
}

const lastRunAfterMidnightMs = Math.max(...schedules.map(({ calendar }) => (calendar.hour * 60 + calendar.minute) * 60_000));

/**
 * Returns the seven days that end with the last Monday on which every Schedule would have run by now: weekly reports are
 * rejected for a week that is not over, so the days are in the past.
 */
export function weekBefore(now: Date): SimulatedDay[] {
  const latest = new Date(now.getTime() - lastRunAfterMidnightMs);
  const midnight = Date.UTC(latest.getUTCFullYear(), latest.getUTCMonth(), latest.getUTCDate());
  const last = midnight - ((latest.getUTCDay() - monday + 7) % 7) * dayMs;
  return Array.from({ length: 7 }, (_, nth) => ({ number: nth + 1, midnight: new Date(last - (6 - nth) * dayMs) }));
}

/** Formats a day as `2026-11-16`. */
export const formatDay = ({ midnight }: SimulatedDay): string => midnight.toISOString().slice(0, 10);
