import { addCalendarDays, localDay, startOfDay } from '../../lib/timeZone';

/** A week of an institution: from the start of its Monday to the start of the next. */
export interface Week {
  /** Its Monday, as a calendar day of the zone (`2026-11-16`); also the name of the week. */
  monday: string;
  startsAt: Date;
  /** Exclusive. 168 hours after the start, except in weeks in which the zone's clocks change. */
  endsAt: Date;
}

/** Returns the week that begins on this Monday (`2026-11-16`) in a time zone. */
export function weekOf(timeZone: string, monday: string): Week {
  return { monday, startsAt: startOfDay(timeZone, monday), endsAt: startOfDay(timeZone, addCalendarDays(monday, 7)) };
}

/** Returns the last week that is over at `now` in a time zone. */
export function lastWholeWeek(timeZone: string, now: Date): Week {
  const today = localDay(timeZone, now);
  const sinceMonday = (new Date(today).getUTCDay() + 6) % 7;
  return weekOf(timeZone, addCalendarDays(today, -sinceMonday - 7));
}

/** Formats the days of a week for emails: `16 – 22 November 2026`, with plain spaces. */
export function formatWeek(monday: string): string {
  const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  return days.formatRange(new Date(monday), new Date(addCalendarDays(monday, 6))).replaceAll(/\s/g, ' ');
}
