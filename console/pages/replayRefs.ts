import type { AuditedChange } from '../../db/repositories/auditLog/auditLog';
import type { DeliveryRef } from '../../db/repositories/webhooks/replays';
import { html, type Html } from '../html';
import { timeElement, type Times } from '../format';
import { href, pathTo } from '../consoleRequest';
import { actorWords } from './auditedCall';

const workflowRef = /^(?:rcv|rpl)_[a-z0-9]{26}$/;

/** Whether a ref is its caller's own, and not that of a recovery or a replay of dead deliveries. */
export const isOwnRef = ({ ref }: Pick<DeliveryRef, 'ref'>): boolean => !workflowRef.test(ref);

/** The recoveries and replays of dead deliveries among some refs. */
export const workflowRefs = (refs: readonly DeliveryRef[]): string[] => refs.filter((entry) => !isOwnRef(entry)).map(({ ref }) => ref);

const beganBy = ({ actor_kind, actor_name, actor_id }: AuditedChange): string => `${actorWords[actor_kind]} ${actor_name === null ? actor_id : `“${actor_name}”`} began it`;

/** Returns what sent a delivery in which cycle and who began that, as far as it is stored; null if nothing is. */
export function sentBy(refs: readonly DeliveryRef[], beginnings: ReadonlyMap<string, AuditedChange>, { endpoint_id, institution_id }: { endpoint_id: string; institution_id: string }, times: Times): Html | null {
  if (refs.length === 0) return null;
  const words = (entry: DeliveryRef): Html => {
    if (isOwnRef(entry)) return html`ref “${entry.ref}”`;
    const beginning = beginnings.get(entry.ref);
    return html`<a href="${href(pathTo.replay(endpoint_id, entry.ref))}"><code>${entry.ref}</code></a>, ${
      beginning === undefined ? 'who began it is not known' : html`<a href="${href(pathTo.auditLog(institution_id), { target: entry.ref })}">${beganBy(beginning)}</a>`}`;
  };
  return html`${refs.map((entry) => html`<span class="second">cycle ${entry.cycle}: ${words(entry)} ${timeElement(entry.created_at, times)}</span>`)}`;
}
