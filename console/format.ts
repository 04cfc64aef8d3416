import { maxCount } from '../db/repositories/support/counts';
import { parseDateTime } from '../lib/dateTime';
import { html, type Html } from './html';

const units: readonly [name: string, seconds: number][] = [['d', 86_400], ['h', 3_600], ['min', 60], ['s', 1]];

/** Returns a length of time in the largest unit that fits, as "4 min". */
function formatSpan(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1_000);
  const [name, size] = units.find(([, of]) => seconds >= of) ?? ['s', 1];
  return `${Math.floor(seconds / size)} ${name}`;
}

/** Returns a time relative to now: "4 min ago", "in 30 s". */
export function relative(at: Date, now: Date): string {
  const ms = at.getTime() - now.getTime();
  if (Math.abs(ms) < 1_000) return 'now';
  return ms < 0 ? `${formatSpan(ms)} ago` : `in ${formatSpan(ms)}`;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Returns a time in UTC, as "21 Nov 2026, 09:30:05 UTC". */
export function utc(at: Date): string {
  return `${at.getUTCDate()} ${months[at.getUTCMonth()] ?? ''} ${at.getUTCFullYear()}, ${at.toISOString().slice(11, 19)} UTC`;
}

/** Returns a `<time>` with the relative time and the time in UTC; `absent` if there is none. */
export function timeElement(at: Date | null, now: Date, absent = '–'): Html {
  if (at === null) return html`<span class="faint">${absent}</span>`;
  return html`<time datetime="${at.toISOString()}"><span class="relative">${relative(at, now)}</span> <span class="utc">${utc(at)}</span></time>`;
}

/** Returns a `<time>` for a sentence: "in 30 s (21 Nov 2026, 09:30:05 UTC)". */
export function inlineTimeElement(at: Date, now: Date): Html {
  return html`<time datetime="${at.toISOString()}">${relative(at, now)} (${utc(at)})</time>`;
}

/** Returns a number that was counted up to a limit, as "1,000+". */
export function count(counted: number): string {
  return counted > maxCount ? `${maxCount.toLocaleString('en')}+` : counted.toLocaleString('en');
}

/** Returns a number with its noun: "1 attempt", "2 attempts", "2 deliveries". */
export function plural(number: number, word: string): string {
  return `${number.toLocaleString('en')} ${number === 1 ? word : word.replace(/y$/, 'ie').concat('s')}`;
}

/** Returns a duration: "840 ms", "1.2 s". */
export function duration(ms: number | null): string {
  if (ms === null) return '–';
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** Parses a time of a query string; without a zone it is UTC, as `<input type="datetime-local">` sends it. Undefined for anything else. */
export const parseTimeInput = (text: string): Date | undefined => parseDateTime(text) ?? parseDateTime(`${text}Z`);

/** Returns a time as `<input type="datetime-local">` takes it, in UTC, to the second. */
export const dateTimeInputValue = (at: Date): string => at.toISOString().slice(0, 19);
