const zoned = /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/i;

/** The years, in UTC, that ISO 8601 and Postgres both write with four digits. */
const years = { first: 1, last: 9999 };

/** Returns the time of an ISO 8601 text with a zone; undefined for any other text, for days that no month has and for years beyond 9999. */
export function parseDateTime(text: string): Date | undefined {
  const [, year, month, day] = (zoned.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const exists = new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
  const time = new Date(text);
  const inRange = time.getUTCFullYear() >= years.first && time.getUTCFullYear() <= years.last;
  return exists && inRange ? time : undefined;
}
