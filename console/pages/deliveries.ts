import { institutionScope, type InstitutionScope } from '../../db/database';
import type { InstitutionRow } from '../../db/repositories/institutions/institutions';
import { errorClasses } from '../../db/repositories/webhooks/attempts';
import { responseCodePattern } from '../../db/repositories/webhooks/responseCodes';
import { deliveryStatuses } from '../../db/repositories/webhooks/deliveryStatus';
import { readDeliveryPage, summarizeDeliveries, type ListedDelivery, type ListedFilter, type ListedStatus } from '../../db/repositories/support/deliveries';
import { listSupportEndpoints, type SupportEndpoint } from '../../db/repositories/support/endpoints';
import { listReplayedAgainAmong } from '../../db/repositories/support/replayOutcomes';
import { eventTypeNames } from '../../domain/events/eventTypes';
import { bareText } from '../../lib/bareText';
import { isWholeId } from '../../lib/typeId';
import { html, type Html } from '../html';
import { breadcrumbs, emptyState, section } from '../components';
import { eventTypeField, filterForm, isReversed, parseChoice, parseTimeRange, problemNotices, rangeNotice, selectField, textField, timeRangeFields, timeRangeQuery, type Option, type RangeLabels, type TimeRange } from '../filters';
import { endpointOptions } from '../endpointName';
import { replayQuery } from '../sendAgain';
import { timesOf, timeText } from '../format';
import { href, idParam, pathTo, type Page, type ConsoleRequest } from '../consoleRequest';
import { deliverySummary } from './deliverySummary';
import { deliveryTable } from './deliveryTable';
import { emptyListHint } from './emptyListHint';
import { readEventSubjects } from './eventSubjects';
import { requireInstitution } from './institution';
import { filterText, formatCursor, listTitle, pager, parseCursor, perPage } from './listPage';
import { replayedAgainText } from './replayedAgain';

/** The one word of the filter of late deliveries. */
const lateWords = ['yes'] as const;

const statuses: readonly ListedStatus[] = ['open', ...deliveryStatuses];

/** The filters of a query string, as the list and as links take them. */
interface ParsedQuery {
  filter: ListedFilter;
  filterTexts: Readonly<Record<string, string | undefined>>;
  times: TimeRange;
  problems: readonly string[];
}

/** Returns the end of a range of the list, which does not have its end, so that it has the whole of a last minute. */
const exclusiveEnd = (until: Date | undefined): Date | undefined => (until?.getUTCMilliseconds() === 999 ? new Date(until.getTime() + 1) : until);

/** Returns the recovery or replay of a query string as its id is stored; the ref of a single replay as it was typed. */
function sentByOf(query: URLSearchParams): string | undefined {
  const typed = filterText(query, 'sent_by');
  return typed !== undefined && isWholeId(bareText(typed)) ? bareText(typed) : typed;
}

function parseQuery(query: URLSearchParams, { id: institutionId, time_zone: timeZone }: InstitutionRow): ParsedQuery {
  const times = parseTimeRange(query, timeZone);
  const status = parseChoice(query, 'status', statuses, 'a status');
  const type = parseChoice(query, 'type', eventTypeNames, 'an event type');
  const errorClass = parseChoice(query, 'error', errorClasses, 'an error class');
  const late = parseChoice(query, 'late', lateWords, 'a choice of late deliveries');
  const code = filterText(query, 'code')?.toLowerCase();
  const isCode = code === undefined || responseCodePattern.test(code);
  const filter = {
    institutionId, status: status.chosen, endpointId: filterText(query, 'endpoint'), eventType: type.chosen,
    responseCode: isCode ? code : undefined, errorClass: errorClass.chosen, sentBy: sentByOf(query), late: late.chosen !== undefined, since: times.since, until: exclusiveEnd(times.until),
  };
  return {
    filter,
    filterTexts: { status: filter.status, endpoint: filter.endpointId, type: filter.eventType, code: filter.responseCode, error: filter.errorClass, late: late.chosen, sent_by: filter.sentBy, ...timeRangeQuery(times) },
    times,
    problems: [...times.problems, ...status.problems, ...type.problems, ...errorClass.problems, ...late.problems, ...(isCode ? [] : [`“${code}” is not a status code such as 503, nor a class such as 5xx`])],
  };
}

const rangeLabels: RangeLabels = ['Created from', 'Created until'];

const own = (words: readonly string[]): Option[] => words.map((word) => [word, word]);

function deliveryFilters(action: string, { filter, filterTexts, times }: ParsedQuery, endpoints: readonly SupportEndpoint[], timeZone: string): Html {
  return filterForm(action, Object.values(filterTexts).some((value) => value !== undefined), html`
    ${selectField('status', 'Status', own(statuses), filter.status)}
    ${selectField('endpoint', 'Endpoint', endpointOptions(endpoints), filter.endpointId, 'wide')}
    ${eventTypeField(filter.eventType)}
    ${textField('code', 'Last response code', filter.responseCode, '503 or 5xx')}
    ${selectField('error', 'Error class', own(errorClasses), filter.errorClass)}
    ${selectField('late', 'Late', [['yes', 'delivered a minute or more later']], filterTexts.late)}
    ${textField('sent_by', 'Sent by', filter.sentBy, 'rcv_…, rpl_…')}
    ${timeRangeFields(times, timeZone, rangeLabels)}`, { isOpen: isReversed(times) });
}

/** Returns the link that replays the dead deliveries of the list: of the chosen endpoint, or to a choice of endpoints. */
function replayLink(institutionId: string, { filter, times }: ParsedQuery): Html | null {
  const { status, endpointId, eventType, responseCode, errorClass, sentBy } = filter;
  if (status !== 'dead' || isReversed(times)) return null;
  if (sentBy !== undefined) return html`<p class="sub">Without “Sent by” these can be replayed together.</p>`;
  if (errorClass !== undefined) return html`<p class="sub">Without the error class these can be replayed together.</p>`;
  const query = replayQuery({ since: times.since, until: exclusiveEnd(times.until), eventType, responseCode });
  const path = endpointId === undefined ? pathTo.replayDead(institutionId) : `${pathTo.endpoint(endpointId)}/replay-dead`;
  return html`<div class="actions"><a class="button plain" href="${href(path, query)}">Replay these…</a></div>`;
}

/** Returns what is to be said of listed deliveries that were replayed again after what the list is narrowed to, by their ids. */
async function readReplayedAgain(scope: InstitutionScope, sentBy: string | undefined, rows: readonly ListedDelivery[]): Promise<ReadonlyMap<string, Html>> {
  if (sentBy === undefined) return new Map();
  const again = await listReplayedAgainAmong(scope, sentBy, rows.map(({ id }) => id));
  return new Map(again.map((entry) => [entry.delivery_id, replayedAgainText(entry, sentBy.startsWith('rcv_') ? 'recovery' : 'replay')]));
}

/** Shows an institution's deliveries, newest first; the filters are in the query string, so a link shows the same to a colleague. */
export async function deliveriesPage(request: ConsoleRequest): Promise<Page> {
  const { deps, query } = request;
  const { sql } = deps.domain.database;
  const institution = await requireInstitution(request, idParam(request));
  const times = timesOf(request, institution);
  const parsed = parseQuery(query, institution);
  const after = parseCursor(query, 'whd_');
  const [endpoints, { rows, next, complete }, summary] = await Promise.all([
    listSupportEndpoints(sql, institution.id),
    readDeliveryPage(sql, parsed.filter, after, perPage),
    after === undefined ? summarizeDeliveries(sql, parsed.filter) : undefined,
  ]);
  const scope = institutionScope(deps.domain.database, institution.id);
  const subjects = await readEventSubjects(scope, rows.map(({ event_id }) => event_id));
  const notes = await readReplayedAgain(scope, parsed.filter.sentBy, rows);
  const path = pathTo.deliveries(institution.id);
  return {
    title: `Deliveries of ${institution.name}`,
    times,
    body: html`${breadcrumbs([institution.name, pathTo.institution(institution.id)])}
      <div class="head"><div class="title"><h1>Deliveries</h1></div>${rows.length === 0 && complete ? null : replayLink(institution.id, parsed)}</div>
      ${deliveryFilters(href(path), parsed, endpoints, institution.time_zone)}
      ${problemNotices(parsed.problems)}${rangeNotice(parsed.times, rangeLabels)}
      ${section('deliveries', listTitle(after, times), rows.length > 0
        ? html`${deliverySummary(summary, parsed.filter.late, times)}${deliveryTable('Deliveries', rows, subjects, times, notes)}`
        : emptyState(complete ? html`No delivery matches. ${await emptyListHint(request, institution, { named: parsed.filter.endpointId, range: parsed.times })}` : 'No delivery matches among those searched so far.'))}
      ${complete || next === undefined ? null : html`<p class="notice calm">Searched back to ${timeText(next.at, times)}; “Older” searches further.</p>`}
      ${pager({
        newest: after === undefined ? undefined : href(path, parsed.filterTexts),
        older: next === undefined ? undefined : href(path, { ...parsed.filterTexts, before: formatCursor(next) }),
      })}`,
  };
}
