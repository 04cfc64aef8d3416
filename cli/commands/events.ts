import type { Command } from 'commander';
import type { Event } from '../../clients/typescript/src/openapi';
import type { KeyContext, OpenKeyContext } from '../context';
import { CliError, InterruptedError, usageError } from '../errors';
import type { EventPattern } from '../eventPattern';
import { collectPatterns, eventPatterns } from '../eventTypes';
import { readNewest, readOldest } from '../eventRange';
import { findFeedEnd, followFeed, readFeed } from '../feed';
import { getItems } from '../fields';
import { parseId, parseMoment, parseUntil, sinceWords, SuggestedOption, wholeNumber } from '../options';
import { printRecord } from '../record';
import { formatTable } from '../tables';
import { escapeControlCharacters } from '../terminalText';
import { resolveMoment } from '../timeRange';
import type { CommandTimeZone, Moment } from '../timeZone';
import { triggers } from '../trigger/triggers';

/** The event types that were asked for, under either name of the option. */
export interface TypeOptions {
  type?: EventPattern[];
  events?: EventPattern[];
}

interface FilterOptions extends TypeOptions {
  since?: Moment;
}

interface ListOptions extends FilterOptions {
  until?: Moment;
  limit?: number;
  all?: true;
}

const defaultLimit = 50;
/** The output is one document, held in memory. */
const maxEvents = 20_000;
const columns = ['created_at', 'type', 'id', 'data'] as const;
const hourMs = 3_600_000;
const defaultAgeMs = 24 * hourMs;

const typeOption = (name: keyof TypeOptions, description: string): SuggestedOption => {
  const option = new SuggestedOption(`--${name} <pattern>`, description, eventPatterns);
  option.argParser(collectPatterns);
  return option;
};

/** Adds the filter of event types to a command, under the name that its help has, and the other one as an alias. */
export const withTypeOption = (command: Command, name: keyof TypeOptions): Command => {
  const alias = name === 'type' ? 'events' : 'type';
  return command
    .addOption(typeOption(name, `of these types only: exam.graded, exam.*; repeat it, or give several with commas (alias: --${alias})`))
    .addOption(typeOption(alias, `the same as --${name}`).hideHelp());
};

/** Returns the event types that were asked for; none for all. */
export const givenTypes = ({ type = [], events = [] }: TypeOptions): EventPattern[] => [...events, ...type];

const formatEvent = ({ created_at, type, id, data }: Event, timeZone: CommandTimeZone): string => `${[timeZone.show(created_at), type, id, JSON.stringify(data)].map(escapeControlCharacters).join('  ')}\n`;

const base32 = '0123456789abcdefghjkmnpqrstvwxyz';

/** Returns when an id was made, in ms: the first ten characters behind its prefix. */
function idTime(id: string): number {
  const text = /^evt_([0-7][0-9a-hjkmnp-tv-z]{25})$/.exec(id)?.[1];
  if (text === undefined) throw usageError('An event has an id such as evt_01jd4k6f2mep2s5xg5yhc8m1zr; the events about anything else are found in the list: institution events list.');
  return Array.from(text.slice(0, 10)).reduce((ms, character) => ms * 32 + base32.indexOf(character), 0);
}

/** Finds an event where its id says that it was made; a sandbox may be ahead of that. */
async function findEvent(context: KeyContext, id: string): Promise<Event> {
  const madeAt = idTime(id);
  let since: string | undefined = new Date(madeAt - 60_000).toISOString();
  const latest = context.api.isTest ? Infinity : madeAt + hourMs;
  for (;;) {
    const page = await readFeed(context, { types: [] }, since);
    const found = page.events.find((event) => event.id === id);
    if (found !== undefined) return found;
    since = page.since;
    if (!page.hasMore || Date.parse(since ?? '') > latest) throw new CliError(`No such event in this institution, or it is no longer kept. ${context.api.isTest ? 'A test key finds what is in its sandbox alone.' : 'A live key finds nothing of the sandbox.'}`, { kind: 'refused', code: 'not_found' });
  }
}

/** The event feed of the institution that the key belongs to. */
export function events(group: Command, open: OpenKeyContext): void {
  withTypeOption(group.command('list'), 'type')
    .description('List the newest events, or with --since the first ones after it; oldest first.')
    .option('--since <moment>', sinceWords('created after', '24h'), parseMoment)
    .option('--until <moment>', 'created up to a time, the end of a day, or an age (default now)', parseUntil)
    .option('--limit <n>', `how many, at most ${maxEvents} (default ${defaultLimit})`, wholeNumber(1, maxEvents))
    .option('--all', `every event up to now, at most ${maxEvents}`)
    .action(async (options: ListOptions) => {
      if (options.all !== undefined && options.limit !== undefined) throw usageError('--all takes every event: leave --limit out.');
      const context = await open();
      const wanted = options.all === undefined ? (options.limit ?? defaultLimit) : maxEvents;
      const begin = await resolveMoment(context, options.since ?? defaultAgeMs);
      const until = options.until === undefined ? undefined : await resolveMoment(context, options.until);
      if (until !== undefined && Date.parse(until) < Date.parse(begin)) throw usageError(`--until (${context.timeZone.show(until)}) is before --since (${context.timeZone.show(begin)}${options.since === undefined ? ', 24h where it is left out' : ''}).`);
      const isNewest = options.since === undefined && options.all === undefined;
      const answer = await (isNewest ? readNewest : readOldest)(context, { types: givenTypes(options), begin, until }, wanted);
      context.print(answer, (shown) => formatTable(columns, getItems(shown, 'items')));
      if (answer.items.length === 0) context.note(`No such event since ${context.timeZone.show(begin)}${until === undefined ? '' : ` until ${context.timeZone.show(until)}`}: an earlier --since looks further back, 30 days at most.`);
      const hint = `--since ${answer.next_since} has the next ones`;
      if (answer.has_more && options.all) throw new CliError(`--all takes ${maxEvents} and no more: ${hint}.`, { kind: 'refused', code: 'too_many' });
      if (answer.has_more) context.note(`${wanted === 1 ? 'This is the first one' : `These are the first ${wanted}`}: ${hint}, --all has all.`);
      else if (isNewest && answer.items.length === wanted) context.note(`${wanted === 1 ? 'This is the newest one' : `These are the newest ${wanted}`}: --since 24h begins with the oldest of a day, --all has all of it.`);
    });

  group
    .command('get')
    .description('Show an event.')
    .argument('<event>', 'its id, evt_…', parseId)
    .action(async (id: string) => {
      const context = await open();
      printRecord(context, await findEvent(context, id));
    });

  withTypeOption(group.command('tail'), 'type')
    .description('Follow the events as they come, each once, until Ctrl-C; with --json a line of JSON for each.')
    .option('--since <moment>', sinceWords('begin after', 'now'), parseMoment)
    .action(async ({ since, ...options }: FilterOptions) => {
      const types = givenTypes(options);
      const terminal = await open();
      const { outputClosed } = terminal;
      const context = { ...terminal, signal: AbortSignal.any([terminal.signal, outputClosed]) };
      const following = follow(context, { types, since, beginning: `Events ${sourceOf(context)} follow; Ctrl-C ends it.` }, (event) => {
        outputClosed.throwIfAborted();
        context.printLine(event, () => formatEvent(event, context.timeZone));
        return Promise.resolve();
      });
      await following.catch((error: unknown) => {
        // Nobody reads what is followed: that is its end, as with tail -f.
        if (!outputClosed.aborted || error !== outputClosed.reason) throw error;
      });
    });

  group
    .command('types')
    .description('List the event types, and whether institution trigger can cause them.')
    .action(async () => {
      const context = await open();
      const { items } = await context.api.call('GET', '/events/types');
      const causes = new Map<string, boolean>(Object.entries(triggers).map(([type, trigger]) => [type, 'cause' in trigger]));
      const marked = items.map((item) => ({ ...item, trigger: causes.get(item.type) ?? false }));
      context.print({ items: marked }, () => formatTable(['type', 'trigger', 'description'], marked));
    });
}

/** Returns whose events a key reads: without a key in the environment it is the live one of the local stack, and trigger causes events in the sandbox. */
export const sourceOf = ({ api }: KeyContext): string => (api.isTest ? 'of the sandbox' : 'of the institution, by a live key (trigger causes those of the sandbox, which a test key reads),');

/** What is followed. */
interface FollowOptions {
  types: readonly EventPattern[];
  since: Moment | undefined;
  /** Said once it is known where to begin. */
  beginning?: string;
}

/** Does something with each event as it comes, and says at the end where to go on. */
export async function follow(context: KeyContext, { types, since, beginning }: FollowOptions, take: (event: Event) => Promise<void>): Promise<void> {
  let position = since === undefined ? await findFeedEnd(context) : await resolveMoment(context, since);
  if (beginning !== undefined) context.note(beginning);
  try {
    for await (const event of followFeed(context, { types }, position)) {
      await take(event);
      position = event.created_at;
    }
  } catch (error) {
    // A pipe has more than its reader has read: nobody knows how far that is.
    if (error === context.outputClosed.reason) throw error;
    const hint = `--since ${position} goes on where it ended.`;
    if (error instanceof InterruptedError) throw error.withMessage(`Ended; ${hint}`);
    context.note(hint);
    throw error;
  }
}
