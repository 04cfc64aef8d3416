import { eventTypeNames } from '../domain/events/eventTypes';
import { html, type Html, type HtmlValue } from './html';
import { parseTimeInput, parseUntilInput, timeField } from './format';
import { filterText } from './pages/listPage';

/** One option of a menu: its value and its words. */
export type Option = readonly [value: string, words: string];

/** Returns a menu of a filter; its first option does not restrict. A chosen value that is not among the options is one more. */
export function selectField(name: string, label: string, options: readonly Option[], chosen: string | undefined, kind: 'narrow' | 'wide' = 'narrow', id = name): Html {
  const all: readonly Option[] = [['', 'any'], ...(chosen === undefined || options.some(([value]) => value === chosen) ? [] : [[chosen, chosen] as const]), ...options];
  return html`<div class="field ${kind}"><label for="${id}">${label}</label><select id="${id}" name="${name}">${all.map(
    ([value, words]) => html`<option value="${value}"${value === (chosen ?? '') ? html` selected` : null}>${words}</option>`,
  )}</select></div>`;
}

/** Returns a menu of a filter whose options are in groups by name; its first option does not restrict. A chosen value that is not among them is one more. */
export function groupedSelectField(name: string, label: string, groups: ReadonlyMap<string, readonly string[]>, chosen: string | undefined): Html {
  const option = (value: string, words = value): Html => html`<option value="${value}"${value === (chosen ?? '') ? html` selected` : null}>${words}</option>`;
  const isKnown = chosen === undefined || [...groups.values()].some((values) => values.includes(chosen));
  return html`<div class="field wide"><label for="${name}">${label}</label><select id="${name}" name="${name}">${option('', 'any')}${isKnown ? null : option(chosen)}${
    [...groups].map(([group, values]) => html`<optgroup label="${group}">${values.map((value) => option(value))}</optgroup>`)}</select></div>`;
}

/** A ping is neither among the events nor among the deliveries. */
const listedTypes = eventTypeNames.filter((name) => name !== 'ping').map((name) => [name, name] as const);

/** Returns the menu of event types of a list. */
export const eventTypeField = (chosen: string | undefined): Html => selectField('type', 'Event type', listedTypes, chosen, 'wide');

/** Returns a text field of a filter. */
export function textField(name: string, label: string, value: string | undefined, example = ''): Html {
  return html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" value="${value ?? ''}" placeholder="${example}" maxlength="200" autocomplete="off" spellcheck="false"></div>`;
}

/** Returns the form of a list's filters, with a link that clears them if there are any. Small screens show it folded, unless `isOpen`. */
export function filterForm(action: string, isFiltered: boolean, fields: HtmlValue, { isOpen = false } = {}): Html {
  return html`<details class="fold" id="filter-fold"${isOpen ? html` open` : null}><summary>${isFiltered ? 'Filters (some are set)' : 'Filters'}</summary><form class="filters" id="filters" action="${action}">${fields}
    <div class="inline"><button class="button main">Filter</button>${isFiltered ? html`<a class="button plain" href="${action}">Clear</a>` : null}</div>
  </form></details>`;
}

/** The range of time that a query string asks for, and what is wrong with it. */
export interface TimeRange {
  since: Date | undefined;
  until: Date | undefined;
  problems: readonly string[];
}

/** Parses the times of a query string; without a zone they are by the clocks of the institution, and the end includes its minute. */
export function parseTimeRange(query: URLSearchParams, timeZone: string): TimeRange {
  const problems: string[] = [];
  const time = (name: 'since' | 'until'): Date | undefined => {
    const value = filterText(query, name);
    const at = value === undefined ? undefined : (name === 'until' ? parseUntilInput : parseTimeInput)(value, timeZone);
    if (value !== undefined && at === undefined) problems.push(`“${value}” is not a time such as 2026-11-20T09:30`);
    return at;
  };
  return { since: time('since'), until: time('until'), problems };
}

/** Whether a range ends before it begins. */
export const isReversed = ({ since, until }: Pick<TimeRange, 'since' | 'until'>): boolean => since !== undefined && until !== undefined && until < since;

/** The names of the fields of a range of time. */
export type RangeLabels = readonly [from: string, until: string];

const rangeLabels: RangeLabels = ['From', 'Until'];

/** The notice that says so of a range that ends before it begins; its field is described by it. */
const rangeProblemId = 'range-problem';

/** Returns what is said of a range that ends before it begins, in the words of the platform API; undefined of any other. */
const rangeProblem = (range: TimeRange, [from, until]: RangeLabels): string | undefined => (isReversed(range) ? `${until} must not be before ${from}: nothing can match.` : undefined);

/** Returns the fields of a range of time, by the clocks of the institution. */
export function timeRangeFields(range: TimeRange, timeZone: string, [from, until] = rangeLabels): Html {
  return html`<div class="range">${timeField('since', from, range.since, { timeZone })}${timeField('until', until, range.until, { timeZone }, { problemId: isReversed(range) ? rangeProblemId : undefined })}</div>`;
}

/** Returns what is said above a list whose range ends before it begins. */
export function rangeNotice(range: TimeRange, labels = rangeLabels): Html | null {
  const problem = rangeProblem(range, labels);
  return problem === undefined ? null : html`<p class="notice warn" id="${rangeProblemId}">${problem}</p>`;
}

/** Returns a range of time as a query string has it, the same in every time zone. */
export const timeRangeQuery = ({ since, until }: TimeRange): Record<'since' | 'until', string | undefined> => ({ since: since?.toISOString(), until: until?.toISOString() });

/** Parses one of several words of a query string. Another word is a problem. */
export function parseChoice<Word extends string>(query: URLSearchParams, name: string, words: readonly Word[], what: string): { chosen: Word | undefined; problems: readonly string[] } {
  const wanted = filterText(query, name);
  const chosen = words.find((word) => word === wanted);
  return { chosen, problems: wanted === undefined || chosen !== undefined ? [] : [`“${wanted}” is not ${what}`] };
}

/** Returns what is said of filters that could not be read. */
export const problemNotices = (problems: readonly string[]): Html => html`${problems.map((words) => html`<p class="notice warn">${words}, so this filter was ignored.</p>`)}`;
