import { maxCount } from '../../db/repositories/support/counts';
import type { DeliverySummary } from '../../db/repositories/support/deliveries';
import { formatDelay } from '../../lib/span';
import { plural, spanText, type Times } from '../format';
import { html, type Html } from '../html';

/** Returns the line above a list of deliveries: how many there are, from when to when, and of late ones how late; null without any. */
export function deliverySummary(summary: DeliverySummary | undefined, isLate: boolean, times: Times): Html | null {
  if (summary?.first_created_at == null || summary.last_created_at === null) return null;
  const { count, first_created_at: first, last_created_at: last, first_delivered_at: firstDelivered, last_delivered_at: lastDelivered, longest_ms: longest, complete } = summary;
  const number = count > maxCount ? `${maxCount.toLocaleString('en')} deliveries or more: the newest were` : `${plural(count, 'delivery')}${complete ? '' : ' among those searched so far'},`;
  const delivered = !isLate || firstDelivered === null || lastDelivered === null || longest === null
    ? ''
    : `, delivered ${spanText(firstDelivered, lastDelivered, times)}, at most ${formatDelay(longest)} after the creation`;
  return html`<p class="pad" id="summary">${number} created ${spanText(first, last, times)}${delivered}.</p>`;
}
