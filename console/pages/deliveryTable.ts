import type { ListedDelivery } from '../../db/repositories/support/deliveries';
import { deliveryEnd } from '../../domain/webhooks/deliveryEnd';
import { formatDelay } from '../../lib/span';
import { html, type Html } from '../html';
import { answeredLine, badge, table, type Column } from '../components';
import { endpointLink } from '../endpointName';
import { relativeElement, shortTimeElement, timeElement, type Times } from '../format';
import { href, pathTo } from '../consoleRequest';
import { isLate } from './deliveryStatus';
import { subjectLine, type EventSubjects } from './eventSubjects';

/** Returns why and when a delivery ended without success; null for any other, and where it is not stored. */
function endLine(delivery: ListedDelivery, times: Times): Html | null {
  const end = deliveryEnd(delivery);
  return end === undefined || end.short === null ? null : html`<span class="second">${end.short}${end.at === null ? null : html`, ${relativeElement(end.at, times)}`}</span>`;
}

/** Returns when a delivery succeeded, and of a late one how long after its creation; null of any other. */
function deliveredLine(delivery: ListedDelivery, times: Times): Html | null {
  const { created_at, delivered_at } = delivery;
  if (delivered_at === null) return null;
  const late = isLate(delivery) ? html`late: after ${formatDelay(delivered_at.getTime() - created_at.getTime())}, ` : null;
  return html`<span class="second">${late}${shortTimeElement(delivered_at, times)}</span>`;
}

/** Returns how the last attempt of a delivery ended: its status code, or without a response its error class; null without an attempt. */
function outcomeLine({ response_code, error_class, delivered_at }: ListedDelivery): Html | null {
  if (response_code !== null) return html`<span class="second">HTTP ${response_code}</span>`;
  return error_class === null || delivered_at !== null ? null : html`<span class="second">${error_class}</span>`;
}

const noteLine = (note: Html | undefined): Html | null => (note === undefined ? null : html`<span class="second">${note}</span>`);

/** Returns a table of deliveries with a link to each; `notes` are lines of some of them, by their ids. */
export function deliveryTable(caption: string, rows: readonly ListedDelivery[], subjects: EventSubjects, times: Times, notes: ReadonlyMap<string, Html> = new Map()): Html {
  const columns: readonly Column<ListedDelivery>[] = [
    {
      title: 'Delivery',
      cell: ({ id, event_type, event_id }) => html`<a href="${href(pathTo.delivery(id))}">${event_type}</a><span class="second"><code>${id}</code></span>${subjectLine(subjects, event_id)}`,
    },
    { title: 'Status', cell: (row) => html`${badge(row.status)}${deliveredLine(row, times)}${endLine(row, times)}${row.delivered_at === null ? answeredLine(row.last_response_start) : null}${noteLine(notes.get(row.id))}` },
    { title: 'Endpoint', cell: (row) => endpointLink({ id: row.endpoint_id, url: row.endpoint_url, description: row.endpoint_description }) },
    {
      title: 'Attempts',
      cell: (row) => html`${row.attempts}${outcomeLine(row)}`,
      numeric: true,
    },
    { title: 'Created', cell: ({ created_at }) => timeElement(created_at, times) },
  ];
  return table(caption, columns, rows, ({ id }) => id);
}
