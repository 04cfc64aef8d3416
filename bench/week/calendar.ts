import { schedules, type ScheduleDefinition } from '../../workflows/contract';

const dayMs = 86_400_000;
const monday = 1;

/** One day of the week that is played: its number from 1, and midnight of it in UTC. */
export interface SimulatedDay {
  number: number;
  midnight: Date;
}

/** When a Schedule runs on a day; undefined where it does not. */
export function scheduledRunTime({ midnight }: SimulatedDay, { calendar }: ScheduleDefinition): Date | undefined {
  if (calendar.dayOfWeek !== undefined && midnight.getUTCDay() !== monday) return undefined;
  return new Date(midnight.getTime() + (calendar.hour * 60 + calendar.minute) * 60_000);
}

const lastRunAfterMidnightMs = Math.max(...schedules.map(({ calendar }) => (calendar.hour * 60 + calendar.minute) * 60_000));

/**
 * The seven days that end with the last Monday on which every Schedule would have run by now: a report is refused for a
 * week that is not over, so that the days lie behind.
 */
export function weekBefore(now: Date): SimulatedDay[] {
  const latest = new Date(now.getTime() - lastRunAfterMidnightMs);
  const midnight = Date.UTC(latest.getUTCFullYear(), latest.getUTCMonth(), latest.getUTCDate());
  const last = midnight - ((latest.getUTCDay() - monday + 7) % 7) * dayMs;
  return Array.from({ length: 7 }, (_, nth) => ({ number: nth + 1, midnight: new Date(last - (6 - nth) * dayMs) }));
}

/** A day as `2026-11-16`. */
export const formatDay = ({ midnight }: SimulatedDay): string => midnight.toISOString().slice(0, 10);
