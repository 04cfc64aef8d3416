import { responseCodePattern } from '../db/repositories/webhooks/responseCodes';
import type { SupportEndpoint } from '../db/repositories/support/endpoints';
import { eventPatterns } from '../domain/events/patterns';
import { validationError } from '../domain/errors';
import type { DeadFilter } from '../domain/webhooks/replayDeadDeliveries';
import { html, type Html } from './html';
import { section } from './components';
import { selectField, textField } from './filters';
import { inlineTimeElement, parseTimeInput, parseUntilInput, timeField, timesOf, timeText } from './format';
import { href, pathTo, type ConsoleRequest } from './consoleRequest';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

function parseTime(given: URLSearchParams, name: string, timeZone: string): Date | undefined {
  const text = given.get(name)?.trim() ?? '';
  const at = text === '' ? undefined : (name === 'until' ? parseUntilInput : parseTimeInput)(text, timeZone);
  if (at === undefined && (text !== '' || name === 'since')) throw validationError({ path: name, message: 'must be a time such as 2026-11-20T09:30' });
  return at;
}

/**
 * Parses which deliveries are sent again: a range of time, by the clocks of the institution, an event type or a prefix, and response
 * codes. Throws `validation_error` for anything else.
 */
export function parseSelection(given: URLSearchParams, timeZone: string): DeadFilter {
  const type = given.get('type')?.trim() ?? '';
  const codes = (given.get('codes') ?? '').toLowerCase().split(/[\s,;]+/).filter((code) => code !== '');
  if (type !== '' && !eventPatterns.includes(type)) throw validationError({ path: 'type', message: 'must be an event type, or a prefix such as exam.*' });
  if (codes.some((code) => !responseCodePattern.test(code))) throw validationError({ path: 'codes', message: 'must be status codes such as 503, or classes such as 5xx' });
  const [since, until] = [parseTime(given, 'since', timeZone) ?? new Date(0), parseTime(given, 'until', timeZone)];
  if (until !== undefined && until < since) throw validationError({ path: 'until', message: 'must not be before From' });
  return {
    since,
    until,
    eventTypes: type === '' ? undefined : [type],
    responseCodes: codes.length === 0 ? undefined : codes,
  };
}

/** The names of the fields of a call of the platform API that a selection stands for. */
export const selectedFields = (given: URLSearchParams): string[] =>
  Object.entries({ since: 'since', until: 'until', type: 'event_types', codes: 'response_codes' }).flatMap(([name, field]) => ((given.get(name) ?? '') === '' ? [] : [field]));

/** Returns the query of a confirmation page that selects what a list of deliveries shows: the list has its From and not its Until, a replay the reverse. */
export const replayQuery = ({ since, until, eventType, responseCode }: { since: Date | undefined; until: Date | undefined; eventType: string | undefined; responseCode: string | undefined }): Record<string, string | undefined> => ({
  since: new Date((since?.getTime() ?? 1) - 1).toISOString(),
  until: until === undefined ? undefined : new Date(until.getTime() - 1).toISOString(),
  type: eventType,
  codes: responseCode,
});

/** Returns a selection as a query string has it. */
export const selectionQuery = ({ since, until, eventTypes = [], responseCodes = [] }: DeadFilter): Record<string, string> =>
  ({ since: since.toISOString(), until: until?.toISOString() ?? '', type: eventTypes.join(), codes: responseCodes.join() });

/** Returns a selection as the hidden fields of a form. */
export function hiddenSelection(selection: DeadFilter): Html {
  return html`${Object.entries(selectionQuery(selection)).map(([name, value]) => (value === '' ? null : html`<input type="hidden" name="${name}" value="${value}">`))}`;
}

/** Returns a bound in words; one of a list is a millisecond before a whole second. */
function boundText(at: Date, timeZone: string, [exact, fromList]: readonly [exact: string, fromList: string]): string {
  return at.getUTCMilliseconds() === 999 ? `${fromList} ${timeText(new Date(at.getTime() + 1), { timeZone })}` : `${exact} ${timeText(at, { timeZone })}`;
}

/** Returns a selection in words: "after 1 Jan 2026, 00:00:00 UTC, of exam.*, answered with 5xx". */
export function selectionText({ since, until, eventTypes, responseCodes }: DeadFilter, timeZone: string): string {
  return [
    ...(since.getTime() === 0 ? ['at any time'] : [boundText(since, timeZone, ['after', 'from'])]),
    ...(until === undefined ? [] : [boundText(until, timeZone, ['up to', 'before'])]),
    ...(eventTypes === undefined ? [] : [`of ${eventTypes.join(', ')}`]),
    ...(responseCodes === undefined ? [] : [`answered with ${responseCodes.join(', ')}`]),
  ].join(', ');
}

const patterns = eventPatterns.filter((pattern) => pattern !== '*').map((pattern) => [pattern, pattern] as const);

/**
 * Returns the forms that send what an endpoint did not receive; each leads to a page that counts it first. They begin a day ago. Where
 * it is known when the endpoint was last disabled, missed events begin there, and dead deliveries before the oldest of those that were
 * given up then, if that was earlier than a day ago.
 */
export function sendAgainSections(request: ConsoleRequest, endpoint: SupportEndpoint, { disabledAt, oldestDeadAt }: { disabledAt: Date | undefined; oldestDeadAt: Date | undefined }): Html | null {
  const { id, status, deleted_at, time_zone: timeZone } = endpoint;
  if (deleted_at !== null) return null;
  const times = timesOf(request, endpoint);
  const yesterday = Math.floor((times.now.getTime() - dayMs) / hourMs) * hourMs;
  // To the whole minute before, as the field has it: what is created at From itself is no part of it.
  const minuteBefore = (at: Date): number => Math.ceil(at.getTime() / minuteMs - 1) * minuteMs;
  const from = (at: Date | undefined): Date => new Date(at === undefined ? yesterday : Math.min(yesterday, minuteBefore(at)));
  const lastDisabled = disabledAt === undefined ? null : html` It was last disabled ${inlineTimeElement(disabledAt, times)}.`;
  const onlyCounted = status === 'active' ? null : ` While the endpoint is ${status} they can be counted, and are sent once it is active.`;
  const form = (name: string, label: string, button: string, words: string, begin: Date, extra: Html | null): Html => html`<div class="pad"><p class="nothing">${words}${lastDisabled}${onlyCounted}</p>
    <form class="filters" id="${name}-form" aria-label="${label}" action="${href(`${pathTo.endpoint(id)}/${name}`)}">
      ${timeField('since', 'From', begin, { timeZone }, { id: `${name}-since`, required: true })}${timeField('until', 'Until', undefined, { timeZone }, { id: `${name}-until` })}
      ${selectField('type', 'Event type', patterns, undefined, 'wide', `${name}-type`)}${extra}
      <button class="button plain">${button}</button></form></div>`;
  return html`${section('replay', 'Replay dead deliveries', form('replay-dead', 'Replay dead deliveries', 'Count dead deliveries…',
    'Sends deliveries again that were given up: those created in this time.', from(oldestDeadAt ?? disabledAt), textField('codes', 'Response codes', undefined, '5xx, 429')))}
    ${section('recover', 'Recover missed events', form('recover', 'Recover missed events', 'Count missed events…',
    'Sends events that have no delivery to this endpoint, because it was disabled, not subscribed or not yet created: those that happened in this time.', new Date(disabledAt === undefined ? yesterday : minuteBefore(disabledAt)), null))}`;
}
