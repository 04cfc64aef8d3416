import { maxCount } from '../db/repositories/support/counts';
import { onClock, toRealTime } from '../domain/clock';
import { parseDateTime } from '../lib/dateTime';
import { formatSpan } from '../lib/span';
import { localDateTime, momentOfLocal } from '../lib/timeZone';
import { html, type Html } from './html';

/** Returns a time relative to now: "4 min ago", "in 30 s", or `present`. */
export function relative(at: Date, now: Date, present = 'now'): string {
  const ms = at.getTime() - now.getTime();
  if (Math.abs(ms) < 1_000) return present;
  return ms < 0 ? `${formatSpan(ms)} ago` : `in ${formatSpan(ms)}`;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Returns a time in UTC, as "21 Nov 2026, 09:30:05 UTC". */
export function utc(at: Date): string {
  return `${at.getUTCDate()} ${months[at.getUTCMonth()] ?? ''} ${at.getUTCFullYear()}, ${at.toISOString().slice(11, 19)} UTC`;
}

/** Returns a time of the last weeks in UTC without its year, as "21 Nov, 09:00 UTC". */
export const shortUtc = (at: Date): string => `${at.getUTCDate()} ${months[at.getUTCMonth()] ?? ''}, ${at.toISOString().slice(11, 16)} UTC`;

/** What times are shown by: the present moment by the clock of the institution that the page is about, its time zone, and how far that clock is ahead, which only that of a sandbox is. */
export interface Times {
  now: Date;
  timeZone: string;
  clockOffsetMs: number;
}

/** Returns the times of a page about an institution, whose stored times are of its own clock. */
export const timesOf = ({ now }: { now: Date }, { time_zone, clock_offset_ms: clockOffsetMs }: { time_zone: string; clock_offset_ms: number }): Times =>
  ({ now: onClock({ clockOffsetMs }, now), timeZone: time_zone, clockOffsetMs });

/** Returns the times of what is stored by the real time for every institution: the audit log, and keys. */
export const realTimesOf = ({ now }: { now: Date }, { time_zone }: { time_zone: string }): Times => ({ now, timeZone: time_zone, clockOffsetMs: 0 });

/** Returns the times of what is stored by the real time, on a page of an institution whose clock may be ahead. */
export const realOf = (times: Times): Times => ({ now: toRealTime(times, times.now), timeZone: times.timeZone, clockOffsetMs: 0 });

/** Returns a time by the clocks of a time zone, as "21 Nov 2026, 10:30:05 Europe/Berlin". */
function local(at: Date, timeZone: string): string {
  const [day = '', time = ''] = localDateTime(timeZone, at).split('T');
  const [year = '', month = '', date = ''] = day.split('-');
  return `${Number(date)} ${months[Number(month) - 1] ?? ''} ${Number(year)}, ${time} ${timeZone}`;
}

/** Returns a time of the last weeks without its year, in UTC, and below it in the time zone of the institution if that is another. */
export function shortTimeElement(at: Date, { timeZone }: Pick<Times, 'timeZone'>): Html {
  const [, day = '', time = ''] = /-(\d\d-\d\d)T(\d\d:\d\d)/.exec(localDateTime(timeZone, at)) ?? [];
  const [month = '', date = ''] = day.split('-');
  return html`<time datetime="${at.toISOString()}"><span>${shortUtc(at)}</span>${
    timeZone === 'UTC' ? null : html` <span class="local">${Number(date)} ${months[Number(month) - 1] ?? ''}, ${time} ${timeZone}</span>`}</time>`;
}

/** Returns a time for a sentence, in the time zone of the institution. */
export const timeText = (at: Date, { timeZone }: Pick<Times, 'timeZone'>): string => (timeZone === 'UTC' ? utc(at) : local(at, timeZone));

/** Returns two times for a sentence, in the time zone of the institution; what both have is said once: "21 Nov 2026, 10:30:05 to 10:31:00 Europe/Berlin". */
export function spanText(from: Date, until: Date, times: Pick<Times, 'timeZone'>): string {
  const [first, last] = [timeText(from, times), timeText(until, times)];
  if (first === last) return `at ${first}`;
  const [day = '', time = ''] = first.split(', ');
  const ofLast = last.split(', ');
  return ofLast[0] === day ? `${day}, ${time.split(' ')[0] ?? ''} to ${ofLast[1] ?? ''}` : `${first} to ${last}`;
}

/** Returns a time in UTC, and below it in the time zone of the institution. */
export const absoluteTime = (at: Date, { timeZone }: Times): Html =>
  html`<span class="utc">${utc(at)}</span>${timeZone === 'UTC' ? null : html` <span class="local">${local(at, timeZone)}</span>`}`;

/** Returns a `<time>` with the relative time, the time in UTC and that of the institution; `absent` if there is none. */
export function timeElement(at: Date | null, times: Times, absent = '–'): Html {
  if (at === null) return html`<span class="faint">${absent}</span>`;
  return html`<time datetime="${at.toISOString()}"><span class="relative">${relative(at, times.now)}</span> ${absoluteTime(at, times)}</time>`;
}

const withoutSeconds = (time: string): string => time.replace(/(\d\d:\d\d):\d\d /, '$1 ');

/** Returns the same without seconds, of a time that is stored to the minute. */
export function minuteElement(at: Date | null, times: Times, absent?: string): Html {
  if (at === null) return timeElement(at, times, absent);
  const ago = times.now.getTime() - at.getTime() < 60_000 ? 'less than a minute ago' : relative(at, times.now);
  return html`<time datetime="${at.toISOString().slice(0, 16)}Z"><span class="relative">${ago}</span> <span class="utc">${withoutSeconds(utc(at))}</span>${
    times.timeZone === 'UTC' ? null : html` <span class="local">${withoutSeconds(local(at, times.timeZone))}</span>`}</time>`;
}

/** Returns a `<time>` for a sentence, by the clocks of the institution: "in 30 s (21 Nov 2026, 10:30:05 Europe/Berlin)"; pointing at it shows UTC. */
export function inlineTimeElement(at: Date, times: Times, present?: string): Html {
  return html`<time datetime="${at.toISOString()}" title="${utc(at)}">${relative(at, times.now, present)} (${timeText(at, times)})</time>`;
}

/** Returns a `<time>` for a sentence that says until when: "28 Nov 2026, 12:13:28 America/Bogota (in 19 h)"; pointing at it shows UTC. */
export const untilElement = (at: Date, times: Times): Html => html`<time datetime="${at.toISOString()}" title="${utc(at)}">${timeText(at, times)} (${relative(at, times.now)})</time>`;

/** Returns a `<time>` that says only how long ago it was; pointing at it shows UTC. */
export const relativeElement = (at: Date, { now }: Pick<Times, 'now'>): Html => html`<time datetime="${at.toISOString()}" title="${utc(at)}">${relative(at, now)}</time>`;

/** Returns a number that was counted up to a limit, as "1,000+". */
export function count(counted: number): string {
  return counted > maxCount ? `${maxCount.toLocaleString('en')}+` : counted.toLocaleString('en');
}

/** Returns a number with its noun: "1 attempt", "2 attempts", "2 deliveries". */
export function plural(number: number, word: string): string {
  return `${number.toLocaleString('en')} ${number === 1 ? word : word.replace(/y$/, 'ie').concat('s')}`;
}

/** Returns a part of a whole, rounded, as "2.5 %"; what is neither none nor all is never rounded to it. */
export function percent(part: number, whole: number): string {
  const exact = (part / whole) * 100;
  if (exact > 0 && exact < 0.1) return '< 0.1 %';
  return `${exact < 100 ? Math.min(Math.round(exact * 10) / 10, 99.9) : 100} %`;
}

/** Returns a duration: "840 ms", "1.2 s". */
export function duration(ms: number | null): string {
  if (ms === null) return '–';
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/**
 * Parses a time of a query string; without a zone, as `<input type="datetime-local">` sends it, it is by the clocks of a time
 * zone. Undefined for anything else.
 */
export function parseTimeInput(text: string, timeZone: string): Date | undefined {
  const zoned = parseDateTime(text);
  if (zoned !== undefined) return zoned;
  const local = parseDateTime(`${text}Z`);
  return local && momentOfLocal(timeZone, local);
}

/** The last millisecond of a minute, from its beginning. */
const endOfMinuteMs = 59_999;

/** Whether a time is the last millisecond of a minute: the end of a range whose last minute was given. */
const endsMinute = (at: Date): boolean => at.getTime() % 60_000 === endOfMinuteMs;

/** Parses the end of a range: a time to the minute, as the field has it, includes that minute. */
export function parseUntilInput(text: string, timeZone: string): Date | undefined {
  const at = parseTimeInput(text, timeZone);
  return at !== undefined && /T\d\d:\d\d$/.test(text) ? new Date(at.getTime() + endOfMinuteMs) : at;
}

/** Returns a time as `<input type="datetime-local">` takes it, by the clocks of a time zone, to the second; of the end of a minute that minute. */
const dateTimeInputValue = (at: Date, timeZone: string): string => localDateTime(timeZone, endsMinute(at) ? new Date(at.getTime() - endOfMinuteMs) : at);

/** Returns an input for a time by the clocks of the institution, which its label names. */
export function timeField(name: string, label: string, at: Date | undefined, { timeZone }: Pick<Times, 'timeZone'>, { id = name, required = false, problemId }: { id?: string; required?: boolean; problemId?: string | undefined } = {}): Html {
  return html`<div class="field"><label for="${id}">${label} (${timeZone})</label><input id="${id}" name="${name}" type="datetime-local" step="60"${
    required ? html` required` : null}${problemId === undefined ? null : html` aria-invalid="true" aria-describedby="${problemId}"`} value="${at === undefined ? '' : dateTimeInputValue(at, timeZone)}"></div>`;
}
