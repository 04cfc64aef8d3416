import type { ListedDelivery } from '../../db/repositories/support/deliveries';
import { html, type Html } from '../html';
import { badge, table, type Column } from '../components';
import { timeElement, type Times } from '../format';
import { href, pathTo } from '../consoleRequest';

/** Returns a table of deliveries with a link to each. */
export function deliveryTable(caption: string, rows: readonly ListedDelivery[], times: Times): Html {
  const columns: readonly Column<ListedDelivery>[] = [
    {
      title: 'Delivery',
      cell: ({ id, event_type }) => html`<a href="${href(pathTo.delivery(id))}">${event_type}</a><span class="second"><code>${id}</code></span>`,
    },
    { title: 'Status', cell: ({ status }) => badge(status) },
    { title: 'Endpoint', cell: ({ endpoint_id, endpoint_url }) => html`<a href="${href(pathTo.endpoint(endpoint_id))}">${endpoint_url}</a>` },
    {
      title: 'Attempts',
      cell: ({ attempts, response_code }) => html`${attempts}${response_code === null ? null : html`<span class="second">HTTP ${response_code}</span>`}`,
      numeric: true,
    },
    { title: 'Created', cell: ({ created_at }) => timeElement(created_at, times) },
  ];
  return table(caption, columns, rows, ({ id }) => id);
}
