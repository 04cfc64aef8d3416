import { explainEvent, type EndpointOutcome } from '../../domain/support/explainEvent';
import { DomainError } from '../../domain/errors';
import { html } from '../html';
import { badge, breadcrumbs, descriptionList, idCode, emptyState, section, table, type Column } from '../components';
import { timeElement, timesOf, type Times } from '../format';
import { href, idParam, pathTo, type Page, type ConsoleRequest } from '../consoleRequest';
import { prettyJson } from './prettyJson';

/** The words of an outcome; others are their own. */
const words: Partial<Record<EndpointOutcome['outcome'], string>> = {
  queued: 'not distributed yet', created_later: 'created later', not_subscribed: 'not subscribed', unknown: 'not certain',
};

/** What the moment of an outcome is. */
const momentOf: Partial<Record<EndpointOutcome['outcome'], string>> = {
  delivered: 'Delivered', held: 'Held', retrying: 'Next attempt', cancelled: 'Cancelled', created_later: 'Created', deleted: 'Deleted', unknown: 'Changed', disabled: 'Changed',
};

const columns = (times: Times): readonly Column<EndpointOutcome>[] => [
  { title: 'Endpoint', cell: ({ endpoint_id, url }) => html`<a href="${href(pathTo.endpoint(endpoint_id))}">${url}</a><span class="second"><code>${endpoint_id}</code></span>` },
  {
    title: 'Outcome',
    cell: ({ outcome, delivery_id }) => html`${badge(outcome, words[outcome] ?? outcome)}${
      delivery_id === null ? html`<span class="second">no delivery</span>` : html`<span class="second"><a href="${href(pathTo.delivery(delivery_id))}"><code>${delivery_id}</code></a></span>`}`,
  },
  { title: 'Why', cell: ({ outcome, reason, at }) => html`${reason}${at === null ? null : html`<span class="second">${momentOf[outcome]} ${timeElement(at, times)}</span>`}` },
];

/** Shows an event: for each endpoint whether it was delivered or why not, and its payload, which a pruned event has no longer. */
export async function eventPage(request: ConsoleRequest): Promise<Page> {
  const eventId = idParam(request);
  const explained = await explainEvent(request.deps.domain.database.sql, eventId);
  if (explained === undefined) throw new DomainError('not_found', `There is no event ${eventId}. Events are kept for 30 days, their deliveries for 90.`);
  const { event, endpoints, bounds } = explained;
  const times = timesOf(request, event);
  const delivered = endpoints.filter(({ outcome }) => outcome === 'delivered').length;
  return {
    title: `Event ${event.type}`,
    times,
    announce: `Delivered to ${delivered} of ${endpoints.length} endpoints.`,
    body: html`${breadcrumbs([event.institution_name, pathTo.institution(event.institution_id)], ['Events', pathTo.events(event.institution_id)])}
      <h1>${event.type}</h1><p class="sub">${idCode(eventId)}</p>
      ${section('details', 'Details', descriptionList(['Created', timeElement(event.created_at, times)], ['Delivered', `to ${delivered} of ${endpoints.length} endpoints`]))}
      ${section('endpoints', 'Endpoints', endpoints.length > 0
        ? table('What became of it at each endpoint', columns(times), endpoints, ({ endpoint_id }) => endpoint_id)
        : emptyState('This institution has no webhook endpoint, and none that was deleted since.'))}
      ${bounds.map((words) => html`<p class="notice warn">${words}</p>`)}
      ${section('payload', 'Payload', event.body === null
        ? emptyState('The event was pruned after 30 days, so its payload is no longer kept.')
        : html`<div class="pad"><pre tabindex="0" aria-label="Payload">${prettyJson(event.body)}</pre></div>`)}`,
  };
}
