import { deliveryStatuses } from '../../db/entities/delivery';
import { readDeliveryPage, type ListedFilter, type ListedStatus, type ListCursor } from '../../db/repositories/support/deliveries';
import { listSupportEndpoints, type SupportEndpoint } from '../../db/repositories/support/endpoints';
import { eventTypeNames } from '../../domain/events/eventTypes';
import { html, type Html } from '../html';
import { emptyState, section } from '../components';
import { dateTimeInputValue, parseDateTime, utc } from '../format';
import { href, idParam, pathTo, type Page, type ConsoleRequest } from '../consoleRequest';
import { deliveryTable } from './deliveryTable';
import { requireInstitution } from './institution';

const perPage = 50;

const statuses: readonly ListedStatus[] = ['open', ...deliveryStatuses];

/** The filters as a query string spells them, and what in it could not be read. */
interface ParsedQuery {
  filter: ListedFilter;
  filterTexts: Readonly<Record<'status' | 'endpoint' | 'type' | 'since' | 'until', string | undefined>>;
  problems: readonly string[];
}

function parseQuery(query: URLSearchParams, institutionId: string): ParsedQuery {
  const text = (name: string): string | undefined => {
    const value = query.get(name)?.trim();
    return value === '' || value === undefined ? undefined : value.slice(0, 200);
  };
  const problems: string[] = [];
  const time = (name: 'since' | 'until'): Date | undefined => {
    const value = text(name);
    const at = value === undefined ? undefined : parseDateTime(value);
    if (value !== undefined && at === undefined) problems.push(`“${value}” is no time such as 2026-11-20T09:30`);
    return at;
  };
  const wanted = text('status');
  const status = statuses.find((known) => known === wanted);
  if (wanted !== undefined && status === undefined) problems.push(`“${wanted}” is no status`);
  const filter = { institutionId, status, endpointId: text('endpoint'), eventType: text('type'), since: time('since'), until: time('until') };
  return {
    filter,
    filterTexts: { status, endpoint: filter.endpointId, type: filter.eventType, since: filter.since?.toISOString(), until: filter.until?.toISOString() },
    problems,
  };
}

const formatCursor = ({ at, id }: ListCursor): string => `${at.toISOString()}_${id}`;

function parseCursor(text: string | null): ListCursor | undefined {
  const [, time = '', id = ''] = /^([^_]+)_(whd_.+)$/.exec(text ?? '') ?? [];
  const at = parseDateTime(time);
  return at === undefined ? undefined : { at, id };
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

/** An institution's deliveries, newest first; the filters stand in the query string, so that a link shows the same to a colleague. */
export async function deliveriesPage(request: ConsoleRequest): Promise<Page> {
  const { deps, now, query } = request;
  const { sql } = deps.domain.database;
  const institution = await requireInstitution(request, idParam(request));
  const parsed = parseQuery(query, institution.id);
  const after = parseCursor(query.get('before'));
  const [endpoints, { rows, next, complete }] = await Promise.all([
    listSupportEndpoints(sql, institution.id),
    readDeliveryPage(sql, parsed.filter, after, perPage),
  ]);
  const path = pathTo.deliveries(institution.id);
  return {
    title: `Deliveries of ${institution.name}`,
    body: html`<nav aria-label="Where you are"><ol class="crumbs"><li><a href="/console/institutions">Institutions</a></li>
        <li><a href="${href(pathTo.institution(institution.id))}">${institution.name}</a></li></ol></nav>
      <h1>Deliveries</h1>
      ${filterForm(href(path), parsed, endpoints)}
      ${parsed.problems.map((words) => html`<p class="notice warn">${words}, so it was left out.</p>`)}
      ${section('deliveries', after === undefined ? 'Newest first' : `Before ${utc(after.at)}`, rows.length > 0
        ? deliveryTable('Deliveries', rows, now)
        : emptyState(complete ? 'No delivery matches.' : 'None matches among those that were looked at.'))}
      ${complete || next === undefined ? null : html`<p class="notice calm">Looked as far back as ${utc(next.at)}; “Older” looks further.</p>`}
      <nav class="pager" aria-label="Pages">
        ${after === undefined ? html`<span></span>` : html`<a class="button plain" href="${href(path, parsed.filterTexts)}">Newest</a>`}
        ${next === undefined ? null : html`<a class="button plain" href="${href(path, { ...parsed.filterTexts, before: formatCursor(next) })}">Older</a>`}
      </nav>`,
  };
}
