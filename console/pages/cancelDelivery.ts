import { openStatuses } from '../../domain/webhooks/transitions';
import { html } from '../html';
import { actionButton, badge, idCode } from '../components';
import { href, pathTo, type Page, type ConsoleRequest } from '../consoleRequest';
import { endpointText } from '../endpointName';
import { deliveryBreadcrumbs, endpointOf, requireDelivery } from './delivery';
import { timesOf } from '../format';
import { statusSentence } from './deliveryStatus';

/** Asks for confirmation before a delivery is cancelled. */
export async function cancelDeliveryPage(request: ConsoleRequest): Promise<Page> {
  const delivery = await requireDelivery(request);
  const path = pathTo.delivery(delivery.id);
  const times = timesOf(request, delivery);
  const question = openStatuses.has(delivery.status)
    ? html`<p class="sentence">Nothing more will be sent to ${endpointText(endpointOf(delivery))} for this event, unless the delivery is replayed.</p>
      <div class="actions sentence">${actionButton(request, href(`${path}/cancel`), 'Cancel this delivery', 'danger')}<a class="button plain" href="${href(path)}">Keep it</a></div>`
    : html`<p class="sentence">This delivery can no longer be cancelled. <a href="${href(path)}">Back to the delivery</a></p>`;
  return {
    title: `Cancel ${delivery.event_type}?`,
    times,
    body: html`${deliveryBreadcrumbs(delivery)}<div class="title-line"><h1>Cancel this delivery?</h1>${badge(delivery.status)}</div>
      <p class="sub">${delivery.event_type} ${idCode(delivery.id)}</p>
      <p class="sentence">${statusSentence(delivery, times)}</p>${question}`,
  };
}
