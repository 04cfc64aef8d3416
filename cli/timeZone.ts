import { localDateTime, momentOfLocal } from '../lib/timeZone';
import { usageError } from './errors';

/** A time with or without its offset from UTC, or an age in ms. */
export type Moment = string | number;

/** The value of `--time-zone` that names the zone of the institution that a command is about. */
export const schoolTimeZone = 'school';

const utc = 'UTC';
const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const withOffset = /(?:Z|[+-]\d{2}:?\d{2})$/i;

/** Returns a difference from UTC as ISO 8601 has it: `+01:00`. */
function formatOffset(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / 60_000);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return `${ms < 0 ? '-' : '+'}${hours}:${rest}`;
}

/** How many days before today. */
const namedDays: Readonly<Record<string, number>> = { today: 0, yesterday: 1 };

/** The time zone of shown times, and of times that are given without an offset from UTC. */
export class CommandTimeZone {
  #name: string;

  constructor(given: string) {
    this.#name = given;
  }

  /** Uses the time zone of an institution from now on, where that was asked for; `load` returns its name. */
  async useInstitution(load: () => Promise<string>): Promise<void> {
    if (this.#name === schoolTimeZone) this.#name = await load();
  }

  /** The name of the zone: UTC for commands that are not about one institution. */
  get #known(): string {
    return this.#name === schoolTimeZone ? utc : this.#name;
  }

  /** Returns a time of a response by the clocks of the zone, with their offset from UTC. Any other text stays as it is. */
  show(text: string): string {
    if (this.#known === utc || !timestamp.test(text)) return text;
    const moment = new Date(text);
    const local = localDateTime(this.#known, moment);
    const wholeSeconds = Math.floor(moment.getTime() / 1_000) * 1_000;
    return `${local}${text.slice(19, 23)}${formatOffset(Date.parse(`${local}Z`) - wholeSeconds)}`;
  }

  /** Returns a response with all of its times as `show` returns them. */
  showAll(value: unknown): unknown {
    if (this.#known === utc) return value;
    if (typeof value === 'string') return this.show(value);
    if (Array.isArray(value)) return value.map((item: unknown) => this.showAll(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, field]: [string, unknown]) => [name, this.showAll(field)]));
  }

  /** Returns the time of a moment as the API takes it: an age is counted back from `now`, a time without an offset is one of this zone. */
  toTimestamp(moment: Moment, now: Date): string {
    if (typeof moment === 'number') return new Date(now.getTime() - moment).toISOString();
    const dated = this.#withDate(moment, now);
    if (withOffset.test(dated)) return dated;
    const local = new Date(`${dated}Z`);
    if (Number.isNaN(local.getTime())) throw usageError(`${moment.replace(/^(today|yesterday)T/, '$1 ')} is no time such as 2026-11-20T09:30, 2026-11-20T09:30:00Z or "yesterday 14:00".`);
    return momentOfLocal(this.#known, local).toISOString();
  }

  /** Returns a time that begins with `today` or `yesterday` with the date of that day in this zone. */
  #withDate(moment: string, now: Date): string {
    return moment.replace(/^(?:today|yesterday)/, (day) => {
      const today = new Date(`${localDateTime(this.#known, now).slice(0, 10)}T00:00:00Z`);
      return new Date(today.getTime() - (namedDays[day] ?? 0) * 86_400_000).toISOString().slice(0, 10);
    });
  }

  /** The same by this machine's clock; undefined for no moment. */
  toTimestampIfGiven(moment: Moment | undefined): string | undefined {
    return moment === undefined ? undefined : this.toTimestamp(moment, new Date());
  }
}
