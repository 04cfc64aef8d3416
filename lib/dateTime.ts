const time = String.raw`([01]\d|2[0-3]):\d{2}(:\d{2}(\.\d{1,9})?)?`;
const zoned = new RegExp(String.raw`^(\d{4})-(\d{2})-(\d{2})T${time}(Z|[+-]\d{2}:?\d{2})$`, 'i');
const withoutZone = new RegExp(String.raw`^\d{4}-\d{2}-\d{2}(T${time})?$`, 'i');

/** The years, in UTC, that ISO 8601 and Postgres both write with four digits. */
const years = { first: 1, last: 9999 };

/** Whether a text is written as a time with a zone, and names a day that its month has; undefined if it is not written so. */
function namesDay(text: string): boolean | undefined {
  const [, year, month, day] = (zoned.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCDate() === day && date.getUTCMonth() === month - 1;
}

/** Returns the time of an ISO 8601 text with a zone; undefined for any other text, for days that no month has and for years beyond 9999. */
export function parseDateTime(text: string): Date | undefined {
  if (namesDay(text) !== true) return undefined;
  const parsed = new Date(text);
  return parsed.getUTCFullYear() >= years.first && parsed.getUTCFullYear() <= years.last ? parsed : undefined;
}

/** Returns what a text that `parseDateTime` does not take lacks: a zone, a day that there is, or the form of a time. */
export function dateTimeFault(text: string): 'zone' | 'day' | 'form' {
  if (withoutZone.test(text)) return 'zone';
  return namesDay(text) === false ? 'day' : 'form';
}
