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
const lessThanADayMs = 12 * 60 * 60_000;

/** The last so many calendar days of a time zone as of a moment, its own first. A day that the zone left out is none of them. */
export function lastDays(timeZone: string, moment: Date, count: number): string[] {
  const days = [localDay(timeZone, moment)];
  for (let time = moment.getTime() - lessThanADayMs; days.length < count; time -= lessThanADayMs) {
    const day = localDay(timeZone, new Date(time));
    if (day !== days.at(-1)) days.push(day);
  }
  return days;
}
