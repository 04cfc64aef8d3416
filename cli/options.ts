import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import { commaList } from '../lib/commaList';
import { isTimeZone } from '../lib/timeZone';
import { schoolTimeZone, type Moment } from './timeZone';

/** The options of every command, and the time zone that most take. */
export interface GlobalOptions {
  json?: true;
  timeout: number;
  actor?: string;
  timeZone: string;
}

/** Returns a time zone, or `school`, as it is. */
export function parseTimeZone(text: string): string {
  if (text !== schoolTimeZone && !isTimeZone(text)) throw new InvalidArgumentError(`It must be a time zone such as Europe/Berlin, UTC, or ${schoolTimeZone}.`);
  return text;
}

/** The time zones that shells complete. */
export const timeZoneNames: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

/** Returns what --since of the commands about events takes: every form that `parseMoment` takes. */
export const sinceWords = (verb: string, otherwise: string): string =>
  `${verb} a time: 2026-11-20T09:30:00Z, "yesterday 14:00", a day: 2026-11-20, today, yesterday, or an age: 30m, 24h, 7d (default ${otherwise})`;

/** Returns a parser of whole numbers within bounds. */
export const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return value;
  };

/** Returns an id as it is; rejects a text that has a meaning of its own in a path or a header. */
export function parseId(text: string): string {
  if (!/^[\x21-\x7e]+$/.test(text) || /^\.+$/.test(text)) throw new InvalidArgumentError('That is no id.');
  return text;
}

/** Returns the id of whom the calls are made as. */
export function parseActor(text: string): string {
  if (!/^(?:fac|dev)_/.test(text)) throw new InvalidArgumentError('It must begin with fac_ or dev_: the calls are made as this person. institution audit filters by --by.');
  return parseId(text);
}

/** What lists the ids of a kind, by its prefix, for somebody who has given a name. */
const listedBy: Readonly<Record<string, string>> = { we_: ' `institution endpoints list` has those of an institution.' };

/** Returns a parser of ids of some kinds, which their prefixes tell. */
export const parseIdOf =
  (...prefixes: readonly string[]) =>
  (text: string): string => {
    if (!prefixes.some((prefix) => text.startsWith(prefix))) throw new InvalidArgumentError(`It must begin with ${prefixes.join(' or ')}.${/^[a-z]+_/.test(text) ? '' : prefixes.map((prefix) => listedBy[prefix] ?? '').join('')}`);
    return parseId(text);
  };

const unitMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A day: from its beginning, up to its end. */
const dayForm = /^(?:\d{4}-\d{2}-\d{2}|today|yesterday)$/;

/** Rejects a text that begins with a day that does not exist: a Date would take the next month's for it. */
function requireDay(text: string): void {
  const [day] = /^\d{4}-\d{2}-\d{2}/.exec(text) ?? [];
  if (day === undefined) return;
  const time = new Date(`${day}T00:00Z`);
  if (Number.isNaN(time.getTime()) || !time.toISOString().startsWith(day)) throw new InvalidArgumentError(`${day} is no day.`);
}

/** Returns the moment that a text names: a time, the beginning of a day (a date, `today` or `yesterday`), or an age: `30m`, `24h`, `7d`. */
export function parseMoment(text: string): Moment {
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  if (count !== undefined) return Number(count) * (unitMs[unit] ?? 0);
  requireDay(text);
  if (dayForm.test(text)) return `${text}T00:00`;
  if (!/^(?:\d{4}-\d{2}-\d{2}|today|yesterday)[T ]\d/.test(text)) throw new InvalidArgumentError('It must be a time such as 2026-11-20T09:30 or 2026-11-20T09:30:00Z, a date, today, yesterday, "yesterday 14:00", or an age such as 30m, 24h, 7d.');
  return text.replace(' ', 'T').replace(/T(\d):/, 'T0$1:');
}

/** Returns the moment up to which something is asked for: a time without seconds includes its minute, a day is included. */
export function parseUntil(text: string): Moment {
  const moment = parseMoment(dayForm.test(text) ? `${text}T23:59` : text);
  return typeof moment === 'number' ? moment : moment.replace(/(T\d{2}:\d{2})(?=$|Z$|[+-]\d{2}:?\d{2}$)/i, '$1:59.999');
}

/** Collects an option that may have several values: one each time, or several with commas between them. */
export function collectList(text: string, before: readonly string[] = []): string[] {
  const values = commaList(text);
  if (values.length === 0) throw new InvalidArgumentError('It holds no value.');
  return [...before, ...values];
}

/** Which part of a list to print. */
export interface PageOptions {
  all?: true;
  page?: number;
  limit?: number;
}

/** Adds the paging options to a command. */
export const withPagingOptions = (command: Command): Command =>
  command
    .option('--all', 'every item, page after page, up to 20000')
    .option('--page <n>', 'this page, from 1', wholeNumber(1, 1_000_000))
    .option('--limit <n>', 'items per page, at most 200 (default 50)', wholeNumber(1, 200));

/** An option with values that shells complete. Others may be given, too: the service says which it takes. */
export class SuggestedOption extends Option {
  constructor(
    flags: string,
    description: string,
    readonly suggestions: readonly string[],
  ) {
    super(flags, description);
  }
}

/** An argument with values that shells complete. */
export class SuggestedArgument extends Argument {
  constructor(
    name: string,
    description: string,
    readonly suggestions: readonly string[],
  ) {
    super(name, description);
  }
}

/** The range of times that a list or bulk work is about. */
export interface TimeRange {
  since?: Moment | undefined;
  until?: Moment | undefined;
}

/** Adds the range of a list to a command; `what` says what happened to an item within it. */
export const withTimeRange = (command: Command, what: string): Command =>
  command
    .option('--since <moment>', `${what} after a time: 2026-11-20T09:30, "yesterday 14:00", a day, or an age: 30m, 24h, 7d`, parseMoment)
    .option('--until <moment>', `${what} up to a time, a day or an age`, parseUntil);
