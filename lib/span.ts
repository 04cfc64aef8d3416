const units: readonly [name: string, seconds: number][] = [['d', 86_400], ['h', 3_600], ['min', 60], ['s', 1]];
const hourSeconds = 3_600;

/**
 * Returns a length of time, rounded, in the largest unit that fits, as "4 min"; below three days with its hours, as "1 d 22 h". What
 * lacks less than half of the next smaller unit is whole: a year that began a minute ago has 365 days left.
 */
export function formatSpan(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1_000);
  const hours = Math.round(seconds / hourSeconds);
  if (hours > 24 && hours < 72 && hours % 24 > 0) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  const [name, size] = units.find(([, of], index) => seconds >= of - (units[index + 1]?.[1] ?? 0) / 2) ?? ['s', 1];
  return `${Math.round(seconds / size)} ${name}`;
}
