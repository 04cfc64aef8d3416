import type { DeliveryRef } from '../../db/repositories/webhooks/replays';
import { html, type Html } from '../html';
import { timeElement, type Times } from '../format';
import { href, pathTo } from '../consoleRequest';

const workflowRef = /^(?:rcv|rpl)_[a-z0-9]{26}$/;

/** Whether a ref is its caller's own, and not that of a recovery or a replay of dead deliveries. */
export const isOwnRef = ({ ref }: Pick<DeliveryRef, 'ref'>): boolean => !workflowRef.test(ref);

/** Returns what sent a delivery in which cycle, as far as it is stored; null if nothing is. */
export function sentBy(refs: readonly DeliveryRef[], { endpoint_id, institution_id }: { endpoint_id: string; institution_id: string }, times: Times): Html | null {
  if (refs.length === 0) return null;
  const words = (entry: DeliveryRef): Html => isOwnRef(entry)
    ? html`ref “${entry.ref}”`
    : html`<a href="${href(pathTo.replay(endpoint_id, entry.ref))}"><code>${entry.ref}</code></a>, <a href="${href(pathTo.auditLog(institution_id), { target: entry.ref })}">who began it</a>`;
  return html`${refs.map((entry) => html`<span class="second">cycle ${entry.cycle}: ${words(entry)} ${timeElement(entry.created_at, times)}</span>`)}`;
}
