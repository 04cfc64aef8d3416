import { findContactsByName, findExamsByTitle, findPlacesByName, type FoundContact, type FoundExam, type NamedPlace } from '../../db/repositories/support/byName';
import { findEndpointsByText, type FoundEndpoint } from '../../db/repositories/support/found';
import { searchInstitutions, type SupportInstitution } from '../../db/repositories/support/institutions';
import { idPrefixes, type SearchResult } from '../../domain/support/search';
import { html, type Html } from '../html';
import { badge, sandboxBadge, breadcrumbs, idCode, idLink, section, table, type Column } from '../components';
import { href, pathTo, type Page, type Redirection, type ConsoleRequest } from '../consoleRequest';
import { breakable } from '../endpointName';
import { nothingFound, resultHead } from './searchResults';

/** How many of each kind a search by a part of a text shows. */
const shown = 20;

const institutionLink = ({ institution_id, institution_name }: { institution_id: string; institution_name: string }): Html => html`<a href="${href(pathTo.institution(institution_id))}">${institution_name}</a>`;

const institutionColumns: readonly Column<SupportInstitution>[] = [
  { title: 'Name', cell: ({ id, name, login_domain }) => html`<a href="${href(pathTo.institution(id))}">${name}</a><span class="second">${login_domain}</span>` },
  { title: 'Status', cell: (row) => html`${badge(row.status)} ${sandboxBadge(row)}` },
  { title: 'Id', cell: ({ id }) => idCode(id) },
];

const endpointColumns: readonly Column<FoundEndpoint>[] = [
  {
    title: 'Endpoint',
    cell: ({ id, url, description }) => html`<a href="${href(pathTo.endpoint(id))}">${description ?? breakable(url)}</a>${description === null ? null : html`<span class="second">${breakable(url)}</span>`}<span class="second"><code>${id}</code></span>`,
  },
  { title: 'Status', cell: ({ state }) => badge(state) },
  { title: 'Institution', cell: institutionLink },
];

const examColumns: readonly Column<FoundExam>[] = [
  { title: 'Exam', cell: ({ id, title }) => html`<a href="${href(pathTo.search, { q: id })}">${title}</a><span class="second"><code>${id}</code></span>` },
  { title: 'Status', cell: ({ status }) => badge(status) },
  { title: 'Institution', cell: institutionLink },
];

const contactColumns: readonly Column<FoundContact>[] = [
  { title: 'Institution', cell: institutionLink },
  { title: 'Role', cell: ({ role, status }) => html`${role} ${badge(status)}` },
  { title: 'Name', cell: ({ id, name }) => html`${name}<span class="second">${idLink(id)}</span>` },
];

const byText = 'institutions by name and login domain, endpoints by URL and description, exams by the beginning of their title, admins and developers of a school by their whole name';

const notSearchedByText =
  "The names of other people and of groups are not searched, nor a student_id of the school's own, a coupon code or a part of an API key: ask for a login email or an id. Deleted endpoints are not found by their URL: search the id of one, or of a delivery to it. Nor are coupon batches and keys found by their name here: operators have them on the page of the institution, under Coupon batches and Keys. Accents count in the title of an exam: Fisica does not find Física.";

/** Returns a section with the first of what was found; null if there is nothing. */
function foundTable<Row extends { id: string }>(title: string, columns: readonly Column<Row>[], rows: readonly Row[], more: Html): Html | null {
  if (rows.length === 0) return null;
  const key = title.toLowerCase().replaceAll(' ', '-');
  return section(key, title, html`${table(title, columns, rows.slice(0, shown), ({ id }) => id)}${rows.length > shown ? html`<p class="pad faint">${more}</p>` : null}`);
}

const newest = html`The newest ${shown} are shown.`;

/** Returns the page of the only institution with exactly this name, or of the only thing at all that was found and is called exactly so; undefined otherwise. */
function pageOfOnly(named: readonly NamedPlace[], found: number): string | undefined {
  const [only] = named;
  if (only === undefined || named.length > 1) return undefined;
  if (only.kind === 'institution') return pathTo.institution(only.id);
  return found === 1 ? pathTo.endpoint(only.id) : undefined;
}

/** Searches a text that is no id and no email in the names of institutions, endpoints, exams, admins and developers; never of students. */
export async function textPage(request: ConsoleRequest, result: SearchResult, typed: string): Promise<Page | Redirection> {
  const { sql } = request.deps.domain.database;
  const [named, institutions, endpoints, exams, contacts] = await Promise.all([
    findPlacesByName(sql, typed),
    searchInstitutions(sql, { wanted: typed, before: undefined, limit: shown + 1 }),
    findEndpointsByText(sql, typed, shown + 1),
    findExamsByTitle(sql, typed, shown + 1),
    findContactsByName(sql, typed, shown + 1),
  ]);
  const found = institutions.length + endpoints.length + exams.length + contacts.length;
  const only = pageOfOnly(named, found);
  if (only !== undefined) return { to: href(only) };
  if (found === 0) {
    const note = `${result.unknown ?? ''} ${notSearchedByText}`;
    const prefixes = html`<details id="prefixes"><summary>What ids begin with</summary><p class="sentence">${idPrefixes}</p></details>`;
    return nothingFound(request, { ...result, query: typed, lookedFor: `${result.lookedFor}; ${byText}`, note }, prefixes);
  }
  if (institutions.length === found) return { to: href('/institutions', { q: typed }) };
  return {
    title: `Found for ${typed}`,
    searchText: typed,
    disclosed: contacts.slice(0, shown).map(({ id, institution_id }) => ({ subject: id, institutionId: institution_id })),
    body: html`${breadcrumbs()}${resultHead('Found', byText, typed)}
      ${foundTable('Institutions', institutionColumns, institutions, html`${newest} <a href="${href('/institutions', { q: typed })}">All of them</a>`)}
      ${foundTable('Admins and developers', contactColumns, contacts, newest)}
      ${foundTable('Endpoints', endpointColumns, endpoints, newest)}
      ${foundTable('Exams', examColumns, exams, html`The first ${shown} by title are shown: type more of the title.`)}`,
  };
}
