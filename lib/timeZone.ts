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

/** Cached formatters of the time of day, by zone. */
// eslint-disable-next-line no-restricted-syntax -- a cached value depends only on its key
const clockFormatters = new Map<string, Intl.DateTimeFormat>();

function clockFormatterOf(timeZone: string): Intl.DateTimeFormat {
  const formatter =
    clockFormatters.get(timeZone) ?? new Intl.DateTimeFormat('en', { timeZone, numberingSystem: 'latn', hourCycle: 'h23', hour: '2-digit', minute: '2-digit', second: '2-digit' });
  clockFormatters.set(timeZone, formatter);
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

/** Returns the calendar day and the time of day in a time zone, `YYYY-MM-DDTHH:mm:ss`. */
export function localDateTime(timeZone: string, moment: Date): string {
  const { hour, minute, second } = Object.fromEntries(clockFormatterOf(timeZone).formatToParts(moment).map(({ type, value }) => [type, value]));
  return `${localDay(timeZone, moment)}T${hour}:${minute}:${second}`;
}

/** How far the clocks of a time zone are ahead of UTC, in ms. */
const utcOffset = (timeZone: string, time: number): number => Date.parse(`${localDateTime(timeZone, new Date(time))}Z`) - Math.floor(time / 1_000) * 1_000;

/**
 * Returns the moment at which the clocks of a time zone show a time, of which there are two when they are set back: the first.
 * A time that they skip is taken as if they had not been set forward.
 */
export function momentOfLocal(timeZone: string, local: Date): Date {
  const time = local.getTime();
  const offsets = [utcOffset(timeZone, time - dayMs), utcOffset(timeZone, time + dayMs)];
  const matching = offsets.filter((offset) => utcOffset(timeZone, time - offset) === offset);
  return new Date(time - Math.max(...(matching.length > 0 ? matching : offsets.slice(0, 1))));
}
