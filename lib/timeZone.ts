/** Whether a text names an IANA time zone that this runtime knows, `UTC` and aliases included; offsets are none. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** A formatter of each zone asked for; making one takes long. */
// eslint-disable-next-line no-restricted-syntax -- what is kept follows from its key alone
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const formatter =
    formatters.get(timeZone) ?? new Intl.DateTimeFormat('en', { timeZone, calendar: 'gregory', numberingSystem: 'latn', year: 'numeric', month: '2-digit', day: '2-digit' });
  formatters.set(timeZone, formatter);
  return formatter;
}

/** The calendar day, `YYYY-MM-DD`, that a moment has in a time zone. */
export function localDay(timeZone: string, moment: Date): string {
  const parts = Object.fromEntries(formatterOf(timeZone).formatToParts(moment).map(({ type, value }) => [type, value]));
  return `${parts.year?.padStart(4, '0')}-${parts.month}-${parts.day}`;
}

/** No day of any zone is as short as this, in ms: whoever steps back by it misses none. */
const halfDayMs = 12 * 60 * 60_000;

/** The last so many calendar days of a time zone as of a moment, its own first. A day that the zone left out is none of them. */
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
/** No zone is as far from UTC as this. */
const maxUtcOffsetMs = 16 * 60 * minuteMs;

/** So many days after a calendar day. */
export const addCalendarDays = (day: string, days: number): string => new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

/** The first moment of a calendar day in a time zone, to the minute; of a day that the zone left out, the first after it. */
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
