import { explainEvent, type EndpointOutcome } from '../../domain/support/explainEvent';
import { DomainError } from '../../domain/errors';
import { html, type Html } from '../html';
import { answeredLine, badge, breadcrumbs, descriptionList, idCode, emptyState, section, table, type Column } from '../components';
import { endpointLink } from '../endpointName';
import { inlineTimeElement, plural, realTimesOf, timeElement, timesOf, type Times } from '../format';
import { href, idParam, pathTo, type Page, type ConsoleRequest } from '../consoleRequest';
import { personInPayload } from '../disclosedPerson';
import { prettyJson } from './prettyJson';
import { reasonText } from './reasonText';

/** The words of an outcome; others are their own. */
const words: Partial<Record<EndpointOutcome['outcome'], string>> = {
  queued: 'not distributed yet', created_later: 'created later', not_subscribed: 'not subscribed', unknown: 'not certain',
};

/** What the moment of an outcome is. */
const momentOf: Partial<Record<EndpointOutcome['outcome'], string>> = {
  delivered: 'Delivered', held: 'Held', retrying: 'Next attempt', dead: 'Given up', cancelled: 'Cancelled', created_later: 'Created', deleted: 'Deleted', unknown: 'Changed', disabled: 'Disabled',
};

/** The times of what the page shows, and the real ones, of the audit log. */
interface BothTimes {
  own: Times;
  real: Times;
}

/** Returns the moment of an outcome. */
const momentText = ({ outcome, at, isRealTime }: EndpointOutcome, { own, real }: BothTimes): Html => html`${at === null ? null : html`<span class="second">${isRealTime === true && outcome === 'disabled' ? 'Changed' : momentOf[outcome]}${isRealTime === true && own.clockOffsetMs !== 0 ? ' (real time, not that of the sandbox)' : null} ${timeElement(at, isRealTime === true ? real : own)}</span>`}`;

const columns = ({ own, real }: BothTimes): readonly Column<EndpointOutcome>[] => [
  { title: 'Endpoint', cell: ({ endpoint_id, url, description }) => html`${endpointLink({ id: endpoint_id, url, description })}<span class="second"><code>${endpoint_id}</code></span>` },
  {
    title: 'Outcome',
    cell: ({ outcome, delivery_id }) => html`${badge(outcome, words[outcome] ?? outcome)}${
      delivery_id === null ? html`<span class="second">no delivery</span>` : html`<span class="second"><a href="${href(pathTo.delivery(delivery_id))}"><code>${delivery_id}</code></a></span>`}`,
  },
  { title: 'Why', cell: (row) => html`${reasonText(row.reason, row.endpoint_id, real)}${answeredLine(row.failedResponse)}${momentText(row, { own, real })}` },
];

/** Endpoints that were not there when the event happened. */
const absent: ReadonlySet<string> = new Set(['created_later', 'deleted']);

const endpointTable = (caption: string, rows: readonly EndpointOutcome[], times: BothTimes): Html => table(caption, columns(times), rows, ({ endpoint_id }) => endpoint_id);

/** Returns the endpoints that were there, and folded below them the others. */
function endpointsBody(endpoints: readonly EndpointOutcome[], times: BothTimes): Html {
  const present = endpoints.filter(({ outcome }) => !absent.has(outcome));
  const others = endpoints.filter(({ outcome }) => absent.has(outcome));
  return html`${present.length > 0 ? endpointTable('What became of it at each endpoint', present, times) : emptyState('No endpoint was there when it happened.')}
    ${others.length === 0 ? null : html`<details class="others" id="others"><summary>${plural(others.length, 'endpoint')} created later or deleted before</summary>${endpointTable('Endpoints that were not there', others, times)}</details>`}`;
}

/** Returns to how many of the endpoints that were to get an event it was delivered, and how many more were there. */
function deliveredTo(endpoints: readonly EndpointOutcome[]): string {
  const number = (...outcomes: readonly EndpointOutcome['outcome'][]): number => endpoints.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const unsubscribed = number('not_subscribed');
  const wanted = endpoints.filter(({ outcome }) => !absent.has(outcome)).length - unsubscribed;
  if (wanted === 0 && unsubscribed > 0) return 'to none: no endpoint subscribes to it';
  return `to ${number('delivered')} of ${plural(wanted, 'endpoint')}${unsubscribed === 0 ? '' : `; ${unsubscribed} more ${unsubscribed === 1 ? 'does' : 'do'} not subscribe to it`}`;
}

/** Shows an event: for each endpoint whether it was delivered or why not, and its payload, which a pruned event has no longer. */
export async function eventPage(request: ConsoleRequest): Promise<Page> {
  const eventId = idParam(request);
  const explained = await explainEvent(request.deps.domain.database.sql, eventId);
  if (explained === undefined) throw new DomainError('not_found', `There is no event ${eventId}. Events are kept for 30 days, their deliveries for 90.`);
  const { event, endpoints, bounds } = explained;
  const times = timesOf(request, event);
  const there = deliveredTo(endpoints);
  return {
    title: `Event ${event.type}`,
    times,
    disclosed: personInPayload(event.body, event.institution_id),
    announce: `Delivered ${there}.`,
    body: html`${breadcrumbs([event.institution_name, pathTo.institution(event.institution_id)], ['Events', pathTo.events(event.institution_id)])}
      <h1>${event.type} <span class="when">${inlineTimeElement(event.created_at, times)}</span></h1><p class="sub">${idCode(eventId)}</p>
      ${section('details', 'Details', descriptionList(['Created', timeElement(event.created_at, times)], ['Delivered', there]))}
      ${section('endpoints', 'Endpoints', endpoints.length > 0
        ? endpointsBody(endpoints, { own: times, real: realTimesOf(request, event) })
        : emptyState('This institution has no webhook endpoint, and none that was deleted since.'))}
      ${bounds.map((words) => html`<p class="notice warn">${words}</p>`)}
      ${section('payload', 'Payload', event.body === null
        ? emptyState('The event was pruned after 30 days, so its payload is no longer kept.')
        : html`<div class="pad"><pre tabindex="0" aria-label="Payload">${prettyJson(event.body)}</pre></div>`)}`,
  };
}
