import { deliveryStatuses } from '../../db/repositories/webhooks/deliveryStatus';
import { readDeliveryPage, type ListedFilter, type ListedStatus } from '../../db/repositories/support/deliveries';
import { listSupportEndpoints, type SupportEndpoint } from '../../db/repositories/support/endpoints';
import { eventTypeNames } from '../../domain/events/eventTypes';
import { html, type Html } from '../html';
import { breadcrumbs, emptyState, section } from '../components';
import { dateTimeInputValue, parseTimeInput, utc } from '../format';
import { href, idParam, pathTo, type Page, type ConsoleRequest } from '../consoleRequest';
import { deliveryTable } from './deliveryTable';
import { requireInstitution } from './institution';
import { filterText, formatCursor, listTitle, pager, parseCursor, perPage } from './listPage';

const statuses: readonly ListedStatus[] = ['open', ...deliveryStatuses];

/** The filters of a query string, and the problems in it. */
interface ParsedQuery {
  filter: ListedFilter;
  filterTexts: Readonly<Record<'status' | 'endpoint' | 'type' | 'since' | 'until', string | undefined>>;
  problems: readonly string[];
}

function parseQuery(query: URLSearchParams, institutionId: string): ParsedQuery {
  const problems: string[] = [];
  const time = (name: 'since' | 'until'): Date | undefined => {
    const value = filterText(query, name);
    const at = value === undefined ? undefined : parseTimeInput(value);
    if (value !== undefined && at === undefined) problems.push(`“${value}” is not a time such as 2026-11-20T09:30`);
    return at;
  };
  const wanted = filterText(query, 'status');
  const status = statuses.find((known) => known === wanted);
  if (wanted !== undefined && status === undefined) problems.push(`“${wanted}” is not a status`);
  const filter = { institutionId, status, endpointId: filterText(query, 'endpoint'), eventType: filterText(query, 'type'), since: time('since'), until: time('until') };
  return {
    filter,
    filterTexts: { status, endpoint: filter.endpointId, type: filter.eventType, since: filter.since?.toISOString(), until: filter.until?.toISOString() },
    problems,
  };
}

const option = (value: string, words: string, chosen: string | undefined): Html =>
  html`<option value="${value}"${value === (chosen ?? '') ? html` selected` : null}>${words}</option>`;

const timeField = (name: 'since' | 'until', label: string, at: Date | undefined): Html =>
  html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" type="datetime-local" step="1" value="${at === undefined ? '' : dateTimeInputValue(at)}"></div>`;

function filterForm(action: string, { filter, filterTexts }: ParsedQuery, endpoints: readonly SupportEndpoint[]): Html {
  const isFiltered = Object.values(filterTexts).some((value) => value !== undefined);
  const known = filter.endpointId === undefined || endpoints.some(({ id }) => id === filter.endpointId);
  return html`<form class="filters" id="filters" action="${action}">
    <div class="field narrow"><label for="status">Status</label><select id="status" name="status">${option('', 'any', filter.status)}${statuses.map(
      (status) => option(status, status, filter.status),
    )}</select></div>
    <div class="field wide"><label for="endpoint">Endpoint</label><select id="endpoint" name="endpoint">${option('', 'any', filter.endpointId)}${
      known ? null : option(filter.endpointId ?? '', filter.endpointId ?? '', filter.endpointId)}${endpoints.map(
      ({ id, url }) => option(id, url, filter.endpointId),
    )}</select></div>
    <div class="field narrow"><label for="type">Event type</label><input id="type" name="type" list="types" value="${filter.eventType ?? ''}" maxlength="100" autocomplete="off" spellcheck="false">
      <datalist id="types">${eventTypeNames.map((type) => html`<option value="${type}"></option>`)}</datalist></div>
    ${timeField('since', 'From (UTC)', filter.since)}${timeField('until', 'Until (UTC)', filter.until)}
    <button class="button main">Filter</button>${isFiltered ? html`<a class="button plain" href="${action}">Clear</a>` : null}
  </form>`;
}

/** Shows an institution's deliveries, newest first; the filters are in the query string, so a link shows the same to a colleague. */
export async function deliveriesPage(request: ConsoleRequest): Promise<Page> {
  const { deps, now, query } = request;
  const { sql } = deps.domain.database;
  const institution = await requireInstitution(request, idParam(request));
  const parsed = parseQuery(query, institution.id);
  const after = parseCursor(query, 'whd_');
  const [endpoints, { rows, next, complete }] = await Promise.all([
    listSupportEndpoints(sql, institution.id),
    readDeliveryPage(sql, parsed.filter, after, perPage),
  ]);
  const path = pathTo.deliveries(institution.id);
  return {
    title: `Deliveries of ${institution.name}`,
    body: html`${breadcrumbs([institution.name, pathTo.institution(institution.id)])}
      <h1>Deliveries</h1>
      ${filterForm(href(path), parsed, endpoints)}
      ${parsed.problems.map((words) => html`<p class="notice warn">${words}, so this filter was ignored.</p>`)}
      ${section('deliveries', listTitle(after), rows.length > 0
        ? deliveryTable('Deliveries', rows, now)
        : emptyState(complete ? 'No delivery matches.' : 'No delivery matches among those searched so far.'))}
      ${complete || next === undefined ? null : html`<p class="notice calm">Searched back to ${utc(next.at)}; “Older” searches further.</p>`}
      ${pager({
        newest: after === undefined ? undefined : href(path, parsed.filterTexts),
        older: next === undefined ? undefined : href(path, { ...parsed.filterTexts, before: formatCursor(next) }),
      })}`,
  };
}
