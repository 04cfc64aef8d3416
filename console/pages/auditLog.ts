import { listAuditLogAfter, type AuditFilter, type AuditRow } from '../../db/repositories/auditLog/auditLog';
import { institutionScope } from '../../db/database';
import { html, type Html } from '../html';
import { breadcrumbs, emptyState, section, table, type Column } from '../components';
import { filterForm, parseTimeRange, problemNotices, textField, timeRangeFields, timeRangeQuery, type TimeRange } from '../filters';
import { timeElement, timesOf, type Times } from '../format';
import { href, idParam, pathTo, type Page, type ConsoleRequest } from '../consoleRequest';
import { requireInstitution } from './institution';
import { filterText, formatCursor, listTitle, pager, parseCursor, perPage } from './listPage';

const actorWords: Record<AuditRow['actor_kind'], string> = { key: 'API key', platform: 'Platform', faculty: 'Admin', developer: 'Developer' };

/** Returns an id with a link to what it is. */
const idLink = (id: string): Html => html`<a href="${href(pathTo.search, { q: id })}"><code>${id}</code></a>`;

const ids = (named: readonly (readonly [name: string, id: string | null])[]): Html =>
  named.length === 0 ? html`<span class="faint">–</span>` : html`${named.map(([name, id]) => html`<span class="second">${name} ${id === null ? html`<code>nobody’s</code>` : idLink(id)}</span>`)}`;

const fields = ({ changed }: AuditRow): Html | null => (changed.length > 0 ? html`<span class="second">Fields: ${changed.join(', ')}</span>` : null);

const columns = (times: Times): readonly Column<AuditRow>[] => [
  { title: 'Time, request', cell: (row) => html`${timeElement(row.at, times)}<span class="second"><code>${row.request_id}</code></span>` },
  { title: 'Who', cell: (row) => html`${actorWords[row.actor_kind]}<span class="second">${row.actor_kind === 'platform' ? html`<code>${row.actor_id}</code>` : idLink(row.actor_id)}</span>` },
  { title: 'What', cell: (row) => html`${row.operation}<span class="second"><code class="route">${row.method} ${row.path}</code></span>${fields(row)}` },
  { title: 'Target', cell: ({ target }) => ids(Object.entries(target)) },
];

type FilterTexts = Readonly<Record<'request' | 'actor' | 'operation', string | undefined>>;

function parseFilters(query: URLSearchParams): FilterTexts {
  return { request: filterText(query, 'request'), actor: filterText(query, 'actor'), operation: filterText(query, 'operation') };
}

const filterOf = ({ request, actor, operation }: FilterTexts, { since, until }: TimeRange): AuditFilter => ({ request_id: request, actor_id: actor, operation, since, until });

function auditFilters(action: string, { request, actor, operation }: FilterTexts, range: TimeRange, timeZone: string): Html {
  const isFiltered = [request, actor, operation, range.since, range.until].some((value) => value !== undefined);
  return filterForm(action, isFiltered, html`
    ${textField('request', 'Request id', request, 'req_…')}
    ${textField('actor', 'Actor id', actor, 'key_…, console')}
    ${textField('operation', 'Operation', operation, 'updateWebhookEndpoint')}
    ${timeRangeFields(range, timeZone)}`);
}

/** Shows who changed what at an institution, newest first; the filters are in the query string. */
export async function auditLogPage(request: ConsoleRequest): Promise<Page> {
  const { deps, query } = request;
  const institution = await requireInstitution(request, idParam(request));
  const times = timesOf(request, institution);
  const filterTexts = parseFilters(query);
  const range = parseTimeRange(query, institution.time_zone);
  const linked = { ...filterTexts, ...timeRangeQuery(range) };
  const after = parseCursor(query, 'aud_');
  const found = await listAuditLogAfter(institutionScope(deps.domain.database, institution.id), filterOf(filterTexts, range), after, perPage + 1);
  const rows = found.slice(0, perPage);
  const last = found.length > perPage ? rows.at(-1) : undefined;
  const path = pathTo.auditLog(institution.id);
  return {
    title: `Audit log of ${institution.name}`,
    body: html`${breadcrumbs([institution.name, pathTo.institution(institution.id)])}
      <div class="head"><div class="title"><h1>Audit log</h1><p class="sub">Writes that succeeded, of keys, the portal, the platform and this console; kept for 400 days.</p></div></div>
      ${auditFilters(href(path), filterTexts, range, institution.time_zone)}
      ${problemNotices(range.problems)}
      ${section('calls', listTitle(after, times), rows.length > 0
        ? table('Calls', columns(times), rows, (row) => row.id)
        : emptyState('No call matches.'))}
      ${pager({
        newest: after === undefined ? undefined : href(path, linked),
        older: last === undefined ? undefined : href(path, { ...linked, before: formatCursor(last) }),
      })}`,
  };
}
