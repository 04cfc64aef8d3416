import { moveDeliveries } from '../../db/repositories/webhooks/backlog';
import { finalStatusByReason, type EndReason } from '../../db/repositories/webhooks/deliveryStatus';
import { endDelivery } from '../../db/repositories/webhooks/retries';
import { releaseLapsedClaims, type ClaimedDelivery } from '../../db/repositories/webhooks/sending';
import type { Sql } from '../../db/statement';
import { clockOf } from '../clock';
import type { Domain, EndedDeliveries } from '../context';

/** One replay cycle of one delivery. */
export interface DeliveryCycle {
  deliveryId: string;
  institutionId: string;
  cycle: number;
}

type EndDeps = Pick<Domain, 'database' | 'onCommitted'>;

/** The final status of each move that ends an endpoint's deliveries. */
const finalStatusByMove = { overdue: 'dead', heldTooLong: 'dead', giveUp: 'dead', cancel: 'cancelled' } as const;

function reportEnded({ onCommitted }: Pick<Domain, 'onCommitted'>, as: keyof EndedDeliveries, count: number): void {
  if (count > 0) onCommitted([], { [as]: count });
}

/** Ends one open delivery in a separate statement and reports it; false if it had already ended. */
export async function endOpenDelivery(domain: EndDeps, { institutionId, deliveryId, cycle }: DeliveryCycle, reason: EndReason, now: Date): Promise<boolean> {
  const ended = await endDelivery(domain.database.sql, institutionId, deliveryId, cycle, reason, now);
  reportEnded(domain, finalStatusByReason[reason], ended ? 1 : 0);
  return ended;
}

/** Marks a claimed delivery as dead because its event was pruned and cannot be sent. */
export async function endPrunedDelivery(domain: EndDeps, { institution_id, id, cycle, clock_offset_ms }: Pick<ClaimedDelivery, 'institution_id' | 'id' | 'cycle' | 'clock_offset_ms'>): Promise<void> {
  await endOpenDelivery(domain, { institutionId: institution_id, deliveryId: id, cycle }, 'event_pruned', clockOf(clock_offset_ms).now);
}

/** Ends an endpoint's deliveries by the given moves; reports each chunk when it is committed, so that a failing chunk loses no count. */
export async function endDeliveriesByMove(domain: EndDeps, endpointId: string, now: Date, moves: readonly (keyof typeof finalStatusByMove)[]): Promise<void> {
  for (const move of moves) {
    await moveDeliveries(domain.database.sql, move, endpointId, now, { onChunk: (ended) => reportEnded(domain, finalStatusByMove[move], ended) });
  }
}

/** Ends all open deliveries of an endpoint that is disabled or deleted. */
export function endAllDeliveries(domain: EndDeps, endpointId: string, now: Date): Promise<void> {
  return endDeliveriesByMove(domain, endpointId, now, ['giveUp', 'cancel']);
}

/** Releases the claims of dead processes, and ends deliveries that were never attempted before their deadline; its statements run through `sql`. */
export async function endLapsedDeliveries(domain: Pick<Domain, 'onCommitted'>, sql: Sql): Promise<void> {
  reportEnded(domain, 'dead', await releaseLapsedClaims(sql));
}
