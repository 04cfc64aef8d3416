/** Whether a text is an IANA time zone of this runtime, `UTC` and aliases included; offsets are not. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Cached formatters by zone; creating one takes long. */
// eslint-disable-next-line no-restricted-syntax -- a cached value depends only on its key
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const formatter =
    formatters.get(timeZone) ?? new Intl.DateTimeFormat('en', { timeZone, calendar: 'gregory', numberingSystem: 'latn', year: 'numeric', month: '2-digit', day: '2-digit' });
  formatters.set(timeZone, formatter);
  return formatter;
}

/** Returns the calendar day, `YYYY-MM-DD`, of a time in a time zone. */
export function localDay(timeZone: string, moment: Date): string {
  const parts = Object.fromEntries(formatterOf(timeZone).formatToParts(moment).map(({ type, value }) => [type, value]));
  return `${parts.year?.padStart(4, '0')}-${parts.month}-${parts.day}`;
}

/** Shorter than any day of any zone, in ms, so that steps of it skip no day. */
const halfDayMs = 12 * 60 * 60_000;

/** Returns the last `count` calendar days of a time zone, the present one first. A day that the zone skipped is not included. */
export function lastDays(timeZone: string, moment: Date, count: number): string[] {
  const days = [localDay(timeZone, moment)];
  for (let time = moment.getTime() - halfDayMs; days.length < count; time -= halfDayMs) {
    const day = localDay(timeZone, new Date(time));
    if (day !== days.at(-1)) days.push(day);
  }
  return days;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** Larger than any zone's offset from UTC. */
const maxUtcOffsetMs = 16 * 60 * minuteMs;

/** Returns the calendar day `days` days after another. */
export const addCalendarDays = (day: string, days: number): string => new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

/** Returns the start of a calendar day in a time zone, to the minute; for a day that the zone skipped, the first time after it. */
export function startOfDay(timeZone: string, day: string): Date {
  let before = Date.parse(day) - maxUtcOffsetMs;
  let reached = Date.parse(day) + maxUtcOffsetMs;
  while (reached - before > minuteMs) {
    const middle = before + Math.floor((reached - before) / (2 * minuteMs)) * minuteMs;
    if (localDay(timeZone, new Date(middle)) < day) before = middle;
    else reached = middle;
  }
  return new Date(reached);
}
