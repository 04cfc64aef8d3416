import { listAuditLogAfter, type AuditFilter, type AuditRow } from '../../db/repositories/auditLog/auditLog';
import { institutionScope } from '../../db/database';
import { html, type Html } from '../html';
import { breadcrumbs, emptyState, section, table, type Column } from '../components';
import { timeElement } from '../format';
import { href, idParam, pathTo, type Page, type ConsoleRequest } from '../consoleRequest';
import { requireInstitution } from './institution';
import { filterText, formatCursor, listTitle, pager, parseCursor, perPage } from './listPage';

const actorWords: Record<AuditRow['actor_kind'], string> = { key: 'API key', platform: 'Platform', faculty: 'Admin', developer: 'Developer' };

const ids = (named: readonly (readonly [name: string, id: string | null])[]): Html =>
  named.length === 0 ? html`<span class="faint">–</span>` : html`${named.map(([name, id]) => html`<span class="second">${name} <code>${id ?? 'nobody’s'}</code></span>`)}`;

const fields = ({ changed }: AuditRow): Html | null => (changed.length > 0 ? html`<span class="second">Fields: ${changed.join(', ')}</span>` : null);

const columns = (now: Date): readonly Column<AuditRow>[] => [
  { title: 'Time, request', cell: (row) => html`${timeElement(row.at, now)}<span class="second"><code>${row.request_id}</code></span>` },
  { title: 'Who', cell: (row) => html`${actorWords[row.actor_kind]}<span class="second"><code>${row.actor_id}</code></span>` },
  { title: 'What', cell: (row) => html`${row.operation}<span class="second"><code>${row.method} ${row.path}</code></span>${fields(row)}` },
  { title: 'Target', cell: ({ target }) => ids(Object.entries(target)) },
];

const filterNames = ['request', 'actor', 'operation'] as const;
type FilterTexts = Readonly<Record<(typeof filterNames)[number], string | undefined>>;

function parseFilters(query: URLSearchParams): FilterTexts {
  return { request: filterText(query, 'request'), actor: filterText(query, 'actor'), operation: filterText(query, 'operation') };
}

const filterOf = ({ request, actor, operation }: FilterTexts): Omit<AuditFilter, 'since'> => ({ request_id: request, actor_id: actor, operation });

const labels: Record<keyof FilterTexts, string> = { request: 'Request id', actor: 'Actor id', operation: 'Operation' };

function filterForm(action: string, filterTexts: FilterTexts): Html {
  const isFiltered = filterNames.some((name) => filterTexts[name] !== undefined);
  return html`<form class="filters" id="filters" action="${action}">
    ${filterNames.map((name) => html`<div class="field"><label for="${name}">${labels[name]}</label><input id="${name}" name="${name}" value="${filterTexts[name] ?? ''}" maxlength="200" autocomplete="off" spellcheck="false"></div>`)}
    <button class="button main">Filter</button>${isFiltered ? html`<a class="button plain" href="${action}">Clear</a>` : null}
  </form>`;
}

/** Shows who changed what at an institution, newest first; the filters are in the query string. */
export async function auditLogPage(request: ConsoleRequest): Promise<Page> {
  const { deps, now, query } = request;
  const institution = await requireInstitution(request, idParam(request));
  const filterTexts = parseFilters(query);
  const after = parseCursor(query, 'aud_');
  const found = await listAuditLogAfter(institutionScope(deps.domain.database, institution.id), filterOf(filterTexts), after, perPage + 1);
  const rows = found.slice(0, perPage);
  const last = found.length > perPage ? rows.at(-1) : undefined;
  const path = pathTo.auditLog(institution.id);
  return {
    title: `Audit log of ${institution.name}`,
    body: html`${breadcrumbs([institution.name, pathTo.institution(institution.id)])}
      <div class="head"><div class="title"><h1>Audit log</h1><p class="sub">Writes that succeeded, of keys, the portal, the platform and this console; kept for 400 days.</p></div></div>
      ${filterForm(href(path), filterTexts)}
      ${section('calls', listTitle(after), rows.length > 0
        ? table('Calls', columns(now), rows, (row) => row.id)
        : emptyState('No call matches.'))}
      ${pager({
        newest: after === undefined ? undefined : href(path, filterTexts),
        older: last === undefined ? undefined : href(path, { ...filterTexts, before: formatCursor(last) }),
      })}`,
  };
}
