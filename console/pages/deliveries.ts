import { pageOfDeliveries, type ListedFilter, type ListedStatus, type ListPlace } from '../../db/repositories/support/deliveries';
import { listSupportedEndpoints, type SupportedEndpoint } from '../../db/repositories/support/endpoints';
import { eventTypes } from '../../domain/events/eventTypes';
import { html, type Html } from '../html';
import { nothing, section } from '../components';
import { inputValue, readMoment, utc } from '../format';
import { href, idOf, pathTo, type Page, type Visit } from '../consoleRequest';
import { deliveryTable } from './deliveryTable';
import { requireInstitution } from './institution';

const perPage = 50;

const statuses: readonly ListedStatus[] = ['open', 'pending', 'retrying', 'held', 'delivered', 'dead', 'cancelled'];

/** The filters as a query string spells them, and what in it could not be read. */
interface Asked {
  filter: ListedFilter;
  spelled: Readonly<Record<'status' | 'endpoint' | 'type' | 'since' | 'until', string | undefined>>;
  misread: readonly string[];
}

function read(query: URLSearchParams, institutionId: string): Asked {
  const text = (name: string): string | undefined => {
    const value = query.get(name)?.trim();
    return value === '' || value === undefined ? undefined : value.slice(0, 200);
  };
  const misread: string[] = [];
  const time = (name: 'since' | 'until'): Date | undefined => {
    const value = text(name);
    const at = value === undefined ? undefined : readMoment(value);
    if (value !== undefined && at === undefined) misread.push(`“${value}” is no time such as 2026-11-20T09:30`);
    return at;
  };
  const wanted = text('status');
  const status = statuses.find((known) => known === wanted);
  if (wanted !== undefined && status === undefined) misread.push(`“${wanted}” is no status`);
  const filter = { institutionId, status, endpointId: text('endpoint'), eventType: text('type'), since: time('since'), until: time('until') };
  return {
    filter,
    spelled: { status, endpoint: filter.endpointId, type: filter.eventType, since: filter.since?.toISOString(), until: filter.until?.toISOString() },
    misread,
  };
}

const spell = ({ at, id }: ListPlace): string => `${at.toISOString()}_${id}`;

function readPlace(text: string | null): ListPlace | undefined {
  const [, time = '', id = ''] = /^([^_]+)_(whd_.+)$/.exec(text ?? '') ?? [];
  const at = readMoment(time);
  return at === undefined ? undefined : { at, id };
}

const option = (value: string, words: string, chosen: string | undefined): Html =>
  html`<option value="${value}"${value === (chosen ?? '') ? html` selected` : null}>${words}</option>`;

const timeField = (name: 'since' | 'until', label: string, at: Date | undefined): Html =>
  html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" type="datetime-local" step="1" value="${at === undefined ? '' : inputValue(at)}"></div>`;

function filterForm(action: string, { filter, spelled }: Asked, endpoints: readonly SupportedEndpoint[]): Html {
  const isFiltered = Object.values(spelled).some((value) => value !== undefined);
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
      <datalist id="types">${Object.keys(eventTypes).map((type) => html`<option value="${type}"></option>`)}</datalist></div>
    ${timeField('since', 'From (UTC)', filter.since)}${timeField('until', 'Until (UTC)', filter.until)}
    <button class="button main">Filter</button>${isFiltered ? html`<a class="button plain" href="${action}">Clear</a>` : null}
  </form>`;
}

/** An institution's deliveries, newest first; the filters stand in the query string, so that a link shows the same to a colleague. */
export async function deliveriesPage(visit: Visit): Promise<Page> {
  const { desk, now, query } = visit;
  const { sql } = desk.domain.database;
  const institution = await requireInstitution(visit, idOf(visit));
  const asked = read(query, institution.id);
  const after = readPlace(query.get('before'));
  const [endpoints, { rows, next, complete }] = await Promise.all([
    listSupportedEndpoints(sql, institution.id),
    pageOfDeliveries(sql, asked.filter, after, perPage),
  ]);
  const path = pathTo.deliveries(institution.id);
  return {
    title: `Deliveries of ${institution.name}`,
    body: html`<nav aria-label="Where you are"><ol class="crumbs"><li><a href="/console/institutions">Institutions</a></li>
        <li><a href="${href(pathTo.institution(institution.id))}">${institution.name}</a></li></ol></nav>
      <h1>Deliveries</h1>
      ${filterForm(href(path), asked, endpoints)}
      ${asked.misread.map((words) => html`<p class="notice warn">${words}, so it was left out.</p>`)}
      ${section('deliveries', after === undefined ? 'Newest first' : `Before ${utc(after.at)}`, rows.length > 0
        ? deliveryTable('Deliveries', rows, now)
        : nothing(complete ? 'No delivery matches.' : 'None matches among those that were looked at.'))}
      ${complete || next === undefined ? null : html`<p class="notice calm">Looked as far back as ${utc(next.at)}; “Older” looks further.</p>`}
      <nav class="pager" aria-label="Pages">
        ${after === undefined ? html`<span></span>` : html`<a class="button plain" href="${href(path, asked.spelled)}">Newest</a>`}
        ${next === undefined ? null : html`<a class="button plain" href="${href(path, { ...asked.spelled, before: spell(next) })}">Older</a>`}
      </nav>`,
  };
}
