import { listEvents, type EventDelivery, type EventFilter, type ListedEvent } from '../../db/repositories/support/events';
import { listEventsAbout, type EventsAbout } from '../../db/repositories/support/eventsAbout';
import { institutionScope, type InstitutionScope } from '../../db/database';
import { eventTypeNames } from '../../domain/events/eventTypes';
import { noEventAboutText } from '../../domain/support/eventsAbout';
import { readTarget, type TypedTarget } from '../../domain/support/typedTarget';
import { html, type Html } from '../html';
import { badge, breadcrumbs, emptyState, section, table, type Column } from '../components';
import { eventTypeField, filterForm, isReversed, parseChoice, parseTimeRange, problemNotices, rangeNotice, textField, timeRangeFields, timeRangeQuery } from '../filters';
import { timeElement, timesOf, timeText, type Times } from '../format';
import { href, idParam, pathTo, type Page, type ConsoleRequest } from '../consoleRequest';
import { emptyListHint } from './emptyListHint';
import { readEventSubjects, subjectCell, type EventSubjects } from './eventSubjects';
import { requireInstitution } from './institution';
import { filterText, formatCursor, listTitle, pager, parseCursor, perPage, type ListCursor } from './listPage';

function deliveryBadges(deliveries: readonly EventDelivery[]): Html {
  if (deliveries.length === 0) return html`<span class="faint">none</span>`;
  const counts = new Map<string, number>();
  for (const { status } of deliveries) counts.set(status, (counts.get(status) ?? 0) + 1);
  const [only] = deliveries;
  if (only !== undefined && deliveries.length === 1) return html`<a href="${href(pathTo.delivery(only.id))}">${badge(only.status)}<span class="unseen"> delivery ${only.id}</span></a>`;
  return html`<span class="tags">${[...counts].map(([status, count]) => badge(status, count === 1 ? status : `${count} ${status}`))}</span>`;
}

const columns = (subjects: EventSubjects, times: Times): readonly Column<ListedEvent>[] => [
  { title: 'Event', cell: ({ id, type }) => html`<a href="${href(pathTo.event(id))}">${type}</a><span class="second"><code>${id}</code></span>` },
  { title: 'About', cell: ({ id }) => subjectCell(subjects, id) },
  { title: 'Deliveries', cell: ({ deliveries }) => deliveryBadges(deliveries) },
  { title: 'Created', cell: ({ created_at }) => timeElement(created_at, times) },
];

/** Returns one page of events: all, or those that name a thing, which are looked for among a bounded number. */
async function findEvents(scope: InstitutionScope, filter: EventFilter, about: TypedTarget | undefined, after: ListCursor | undefined): Promise<EventsAbout> {
  if (about !== undefined) return listEventsAbout(scope, filter, about.names, after?.at, perPage);
  const { rows, next } = await listEvents(scope, filter, { page: 1, limit: perPage, cursor: { after: after === undefined ? null : [after.at.toISOString(), after.id] } });
  return { rows, next: next === null ? undefined : rows.at(-1), complete: true };
}

/** Returns why no event can be about a text; '' if one may be. */
const noEventText = (about: string | undefined, target: TypedTarget | undefined): string => target?.unknown ?? (about === undefined ? '' : (noEventAboutText(about) ?? ''));

/** What is to be done where there is no event of a type: what never happened has none. */
function typeHint(type: string | undefined, withoutType: string): Html | null {
  if (type === undefined) return null;
  return html` <span class="second"><a href="${withoutType}">Look without the event type.</a> What did not happen has no event${
    type === 'exam.graded' ? html`: search the <code>submission_id</code> that the data of <code>exam.submitted</code> has. One that is <code>submitted</code> was not graded; voiding a grade has no event` : null}.</span>`;
}

/** Shows an institution's events, newest first, with their deliveries; the filters are in the query string. */
export async function eventsPage(request: ConsoleRequest): Promise<Page> {
  const { deps, query } = request;
  const institution = await requireInstitution(request, idParam(request));
  const times = timesOf(request, institution);
  const range = parseTimeRange(query, institution.time_zone);
  const type = parseChoice(query, 'type', eventTypeNames, 'an event type');
  const after = parseCursor(query, 'evt_');
  const filter = { type: type.chosen, since: range.since, until: range.until };
  const about = filterText(query, 'about');
  const scope = institutionScope(deps.domain.database, institution.id);
  const target = about === undefined ? undefined : await readTarget(scope, about);
  const { rows, next, complete } = await findEvents(scope, filter, target, after);
  const subjects = await readEventSubjects(scope, rows.map(({ id }) => id));
  const path = pathTo.events(institution.id);
  const filterTexts = { type: type.chosen, about, ...timeRangeQuery(range) };
  return {
    title: `Events of ${institution.name}`,
    times,
    body: html`${breadcrumbs([institution.name, pathTo.institution(institution.id)])}
      <div class="head"><div class="title"><h1>Events</h1><p class="sub">Kept for 30 days. An event says for each endpoint whether it was delivered, or why not.</p></div></div>
      ${filterForm(href(path), Object.values(filterTexts).some((value) => value !== undefined), html`
        ${eventTypeField(type.chosen)}
        ${textField('about', 'About', about, 'id or login email')}
        ${timeRangeFields(range, institution.time_zone)}`, { isOpen: isReversed(range) })}
      ${problemNotices([...range.problems, ...type.problems])}${rangeNotice(range)}
      ${section('events', listTitle(after, times), rows.length > 0 ? table('Events', columns(subjects, times), rows, ({ id }) => id) : emptyState(complete ? html`No event matches. ${noEventText(about, target)} ${await emptyListHint(request, institution, { named: about, range })}${typeHint(type.chosen, href(path, { ...filterTexts, type: undefined }))}` : 'No event matches among those searched so far.'))}
      ${complete || next === undefined ? null : html`<p class="notice calm">Searched back to ${timeText(next.created_at, times)}; “Older” searches further.</p>`}
      ${pager({
        newest: after === undefined ? undefined : href(path, filterTexts),
        older: next === undefined ? undefined : href(path, { ...filterTexts, before: formatCursor({ at: next.created_at, id: next.id }) }),
      })}`,
  };
}
