import { searchInstitutions, type SupportInstitution } from '../../db/repositories/support/institutions';
import { html, type Html } from '../html';
import { badge, sandboxBadge, idCode, emptyState, section, table } from '../components';
import { count, realTimesOf, timeElement } from '../format';
import { href, pathTo, type Page, type ConsoleRequest } from '../consoleRequest';
import { filterText, pager } from './listPage';

const perPage = 25;

/** Returns a number of deliveries, with a link to them if there are any. */
const countLink = (institution: SupportInstitution, status: 'open' | 'dead'): Html =>
  institution[status] === 0
    ? html`<span class="faint">0</span>`
    : html`<a href="${href(pathTo.deliveries(institution.id), { status })}">${count(institution[status])}</a>`;

/** Shows all institutions, or those that match by id, name or login domain. */
export async function institutionsPage({ deps, now, query }: ConsoleRequest): Promise<Page> {
  const wanted = filterText(query, 'q');
  const before = filterText(query, 'before');
  const found = await searchInstitutions(deps.domain.database.sql, { wanted, before, limit: perPage + 1 });
  const rows = found.slice(0, perPage);
  const last = found.length > perPage ? rows.at(-1) : undefined;
  const list = table<SupportInstitution>('Institutions', [
    { title: 'Name', cell: (row) => html`<a href="${href(pathTo.institution(row.id))}">${row.name}</a><span class="second">${row.login_domain}</span>` },
    { title: 'Status', cell: (row) => html`${badge(row.status)} ${sandboxBadge(row)}` },
    { title: 'Id', cell: (row) => idCode(row.id) },
    { title: 'Open', cell: (row) => countLink(row, 'open'), numeric: true },
    { title: 'Dead', cell: (row) => countLink(row, 'dead'), numeric: true },
    { title: 'Created', cell: (row) => timeElement(row.created_at, realTimesOf({ now }, row)) },
  ], rows, (row) => row.id);
  return {
    title: 'Institutions',
    body: html`<div class="head"><div class="title"><h1>Institutions</h1><p class="sub">Open and dead count webhook deliveries.</p></div></div>
      <form class="filters" action="/console/institutions">
        <div class="field wide"><label for="q">Name, domain or id</label><input id="q" name="q" value="${wanted ?? ''}" maxlength="200" autocomplete="off"></div>
        <button class="button plain">Search</button>
      </form>
      ${section('institutions', wanted !== undefined ? html`Found for “${wanted}”` : 'Newest first', rows.length > 0 ? list : emptyState('No institution matches.'))}
      ${pager({
        newest: before === undefined ? undefined : href('/institutions', { q: wanted }),
        older: last === undefined ? undefined : href('/institutions', { q: wanted, before: last.id }),
      })}`,
  };
}
