import { timeOfId } from '../../domain/ids';
import { personKinds } from '../../domain/support/personAccount';
import { search, type FoundItem, type SearchResult } from '../../domain/support/search';
import { html, type Html } from '../html';
import { badge, breadcrumbs, descriptionList, idCode, idLink, section } from '../components';
import { realTimesOf, timeElement, timesOf, type Times } from '../format';
import { href, pathTo, type Page, type Redirection, type ConsoleRequest } from '../consoleRequest';
import { findVisibleStaffId } from '../staffEmail';
import { callDetails } from './auditedCall';
import { bulkCallRows } from './bulkRows';
import { foundDetails } from './foundDetails';
import { recordDetails } from './foundRecords';
import { workflowRows } from './foundWorkflows';
import { filterText } from './listPage';
import { nothingFound, resultHead } from './searchResults';
import { textPage } from './searchText';
import { removedLinkInvitation } from './workflowState';

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

/** The kinds whose times are of the real clock, also in a sandbox. */
const realTimeKinds: ReadonlySet<string> = new Set(['API key', 'audited call']);

function linksOf({ kind, id, parent_id, institution_id }: FoundItem): Html | null {
  if (institution_id === null) return null;
  const auditLog = (words: string, filter: Readonly<Record<string, string | undefined>>, of = institution_id): Html => html`<a href="${href(pathTo.auditLog(of), filter)}">${words}</a>`;
  if (kind === 'audited call') return auditLog('This call in the audit log', { request: parent_id ?? undefined });
  const calls = actorKinds.has(kind) ? auditLog('Its calls in the audit log', { actor: id }) : null;
  // No event is about a key; a test key is made and revoked in the institution proper, whose sandbox it belongs to.
  if (kind === 'API key') return html`<span class="links">${auditLog('Audit entries about it', { target: id }, parent_id ?? institution_id)}${calls}</span>`;
  if (kind === 'bulk provisioning') return auditLog('Audit entries about it', { target: id });
  return html`<span class="links"><a href="${href(pathTo.events(institution_id), { about: id })}">Events about it</a>${auditLog('Audit entries about it', { target: id })}${calls}</span>`;
}

function itemTimes(request: ConsoleRequest, { kind, time_zone, clock_offset_ms }: FoundItem): Times {
  const institution = { time_zone: time_zone ?? 'UTC', clock_offset_ms: clock_offset_ms ?? 0 };
  return realTimeKinds.has(kind) ? realTimesOf(request, institution) : timesOf(request, institution);
}

async function foundSection(request: ConsoleRequest, found: FoundItem): Promise<Html> {
  const { kind, id, state, parent_id, institution_id, institution_name, created_at, description } = found;
  const times = itemTimes(request, found);
  const details = callDetails(found) ?? (await recordDetails(request, found, times)) ?? (await foundDetails(request, found, times));
  const workflows = [...(await bulkCallRows(request, found)), ...(await workflowRows(request, found, times))];
  const links = linksOf(found);
  return section(`found-${id}`, html`${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${idCode(id)}`, descriptionList(
    ['Institution', institution_id === null ? 'of no institution' : html`<a href="${href(pathTo.institution(institution_id))}">${institution_name}</a><br><code>${institution_id}</code>`],
    ['Created', timeElement(created_at, times)],
    ...(details ?? [
      description === null ? (state === null ? undefined : ['Status', badge(state)] as const) : ['What', description] as const,
      parent_id === null ? undefined : ['Belongs to', idLink(parent_id)] as const,
    ]),
    ...workflows,
    links === null ? undefined : ['More', links],
  ));
}

const personFound = ({ kind, id, institution_id }: FoundItem): Page['disclosed'] =>
  personKinds.has(kind) && institution_id !== null ? { subject: id, institutionId: institution_id } : undefined;

async function foundPage(request: ConsoleRequest, { query, lookedFor, items }: SearchResult, [first]: readonly FoundItem[]): Promise<Page> {
  const institution = first?.institution_id ?? null;
  const sections = await Promise.all(items.map((found) => foundSection(request, found)));
  const title = (first !== undefined && personKinds.has(first.kind) ? first.description : null) ?? 'Found';
  return {
    title,
    searchText: query ?? '',
    ...(first === undefined ? {} : { times: itemTimes(request, first), disclosed: personFound(first) }),
    body: html`${institution === null ? breadcrumbs() : breadcrumbs([first?.institution_name ?? institution, pathTo.institution(institution)])}
      ${resultHead(title, lookedFor, query)}${sections}`,
  };
}

const isLinkId = (query: string): boolean => query.startsWith('gdn_') && timeOfId(query) !== undefined;

/** Leads, for a login email that nobody has, to the erasures of the school of its domain; null where there is none. */
function erasuresOfSchool({ school }: SearchResult): Html | null {
  if (school === undefined) return null;
  const erased = (operation: string): string => href(pathTo.auditLog(school.id), { operation });
  return html`<p class="sentence" id="erasures">Whom <a href="${href(pathTo.institution(school.id))}">${school.institution_name}</a> has erased: <a href="${erased('eraseStudent')}">students</a>, <a href="${erased('eraseFaculty')}">faculty</a></p>`;
}

/** Leads to the page of what a text names, or says what the thing is. A text that may be a part of a name or address is searched in them. */
export async function searchPage(request: ConsoleRequest): Promise<Page | Redirection> {
  const typed = (filterText(request.query, 'q') ?? '').replaceAll(/\s+/g, ' ');
  if (typed === '') return { to: href('/institutions') };
  const result = await search(request.deps.domain.database.sql, typed);
  const [found] = result.items;
  const path = found === undefined ? undefined : pageOf(found);
  if (path !== undefined) return { to: href(path) };
  const staffId = found === undefined ? await findVisibleStaffId(request, typed) : undefined;
  if (staffId !== undefined) return { to: request.staff.role === 'operator' ? href(pathTo.staffMember(staffId)) : href(pathTo.search, { q: staffId }) };
  if (found === undefined && result.mayBeName) return textPage(request, result, typed);
  if (found !== undefined) return foundPage(request, result, result.items);
  const { query } = result;
  const more = query !== null && isLinkId(query) ? await removedLinkInvitation(request, query) : erasuresOfSchool(result);
  return nothingFound(request, result, more);
}
