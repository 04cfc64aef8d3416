import { deliveriesOfEvent } from '../../db/repositories/support/deliveries';
import { findSupportEvent } from '../../db/repositories/support/delivery';
import { DomainError } from '../../domain/errors';
import { html } from '../html';
import { breadcrumbs, descriptionList, idCode, emptyState, section } from '../components';
import { timeElement } from '../format';
import { idParam, pathTo, type Page, type ConsoleRequest } from '../consoleRequest';
import { deliveryTable } from './deliveryTable';
import { prettyJson } from './prettyJson';

/** Shows an event: its deliveries and its payload. Of a pruned event only the deliveries are known. */
export async function eventPage(request: ConsoleRequest): Promise<Page> {
  const { deps, now } = request;
  const { sql } = deps.domain.database;
  const eventId = idParam(request);
  const [event, deliveries] = await Promise.all([findSupportEvent(sql, eventId), deliveriesOfEvent(sql, eventId)]);
  const [first] = deliveries;
  const institutionId = event?.institution_id ?? first?.institution_id;
  const type = event?.type ?? first?.event_type;
  if (institutionId === undefined || type === undefined) {
    throw new DomainError('not_found', `There is no event ${eventId}. Events are kept for 30 days, their deliveries for 90.`);
  }
  return {
    title: `Event ${type}`,
    body: html`${breadcrumbs([event?.institution_name ?? institutionId, pathTo.institution(institutionId)])}
      <h1>${type}</h1><p class="sub">${idCode(eventId)}</p>
      ${event === undefined ? null : section('details', 'Details', descriptionList(['Created', timeElement(event.created_at, now)], ['Deliveries', deliveries.length]))}
      ${section('deliveries', 'Deliveries', deliveries.length > 0
        ? deliveryTable('Deliveries of this event', deliveries, now)
        : emptyState('No endpoint was subscribed to this event when it happened, or its deliveries are being created at this moment.'))}
      ${section('payload', 'Payload', event === undefined
        ? emptyState('The event was pruned after 30 days, so its payload is no longer kept.')
        : html`<div class="pad"><pre tabindex="0" aria-label="Payload">${prettyJson(event.body)}</pre></div>`)}`,
  };
}
