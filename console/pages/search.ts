import { search, type FoundItem, type SearchResult } from '../../domain/support/search';
import { html, type Html } from '../html';
import { badge, descriptionList, idCode, section } from '../components';
import { timeElement } from '../format';
import { href, pathTo, type Page, type Redirection, type ConsoleRequest } from '../consoleRequest';
import { filterText } from './listPage';

/** The kinds of things that have a page of their own. */
const pages: Readonly<Record<string, (found: FoundItem) => string | undefined>> = {
  institution: ({ id }) => pathTo.institution(id),
  'webhook endpoint': ({ id }) => pathTo.endpoint(id),
  'webhook delivery': ({ id }) => pathTo.delivery(id),
  event: ({ id }) => pathTo.event(id),
  replay: ({ id, parent_id }) => (parent_id === null ? undefined : pathTo.replay(parent_id, id)),
  recovery: ({ id, parent_id }) => (parent_id === null ? undefined : pathTo.replay(parent_id, id)),
};

const pageOf = (found: FoundItem): string | undefined => pages[found.kind]?.(found);

/** The kinds that act: the audit log is filtered by them. */
const actorKinds: ReadonlySet<string> = new Set(['API key', 'faculty member', 'developer']);

function auditLink({ kind, id, parent_id, institution_id }: FoundItem): Html | null {
  if (institution_id === null) return null;
  const filter = kind === 'audited call' ? { request: parent_id ?? undefined } : actorKinds.has(kind) ? { actor: id } : undefined;
  return filter === undefined ? null : html`<a href="${href(pathTo.auditLog(institution_id), filter)}">${kind === 'audited call' ? 'This call in the audit log' : 'Its calls in the audit log'}</a>`;
}

function foundSection(found: FoundItem, now: Date): Html {
  const { kind, id, state, parent_id, institution_id, institution_name, time_zone, created_at, description } = found;
  const links = auditLink(found);
  return section(`found-${id}`, html`${kind} ${idCode(id)}`, descriptionList(
    ['Institution', institution_id === null ? 'of no institution' : html`<a href="${href(pathTo.institution(institution_id))}">${institution_name}</a><br><code>${institution_id}</code>`],
    ['Created', timeElement(created_at, { now, timeZone: time_zone ?? 'UTC' })],
    description === null ? (state === null ? undefined : ['Status', badge(state)]) : ['What', description],
    parent_id === null ? undefined : ['Belongs to', html`<a href="${href(pathTo.search, { q: parent_id })}"><code>${parent_id}</code></a>`],
    links === null ? undefined : ['More', links],
  ));
}

function resultBody({ query, lookedFor, items, note }: SearchResult, now: Date): Html {
  if (items.length === 0) {
    return html`<div class="head"><div class="title"><h1>Nothing found</h1><p class="sub">Looked for: ${lookedFor}${query === null ? null : html` ${idCode(query)}`}</p></div></div>
      <p class="notice calm" id="note">${note}</p>`;
  }
  return html`<div class="head"><div class="title"><h1>Found</h1><p class="sub">Looked for: ${lookedFor} ${idCode(query ?? '')}</p></div></div>
    ${items.map((found) => foundSection(found, now))}
    <p class="sentence">The console has no page for it.</p>`;
}

/** Leads to the page of what a text names, or says what the thing is. A text that may be a name searches the institutions. */
export async function searchPage({ deps, now, query }: ConsoleRequest): Promise<Page | Redirection> {
  const typed = filterText(query, 'q') ?? '';
  const result = await search(deps.domain.database.sql, typed);
  const [found] = result.items;
  const path = found === undefined ? undefined : pageOf(found);
  if (path !== undefined) return { to: href(path) };
  if (result.items.length === 0 && result.mayBeName) return { to: href('/institutions', { q: typed }) };
  return { title: result.items.length > 0 ? 'Found' : 'Nothing found', searchText: result.query ?? '', body: resultBody(result, now) };
}
