import { moveDeliveries } from '../../db/repositories/webhooks/backlog';
import { endDelivery } from '../../db/repositories/webhooks/retries';
import { releaseLapsedClaims, type ClaimedDelivery } from '../../db/repositories/webhooks/sending';
import type { Sql } from '../../db/statement';
import type { Domain, EndedDeliveries } from '../context';

/** One replay cycle of one delivery. */
export interface DeliveryCycle {
  deliveryId: string;
  institutionId: string;
  cycle: number;
}

type EndDeps = Pick<Domain, 'database' | 'onCommitted'>;

/** What each move of an endpoint's deliveries that ends them makes of them. */
const finalStatusByMove = { overdue: 'dead', heldTooLong: 'dead', giveUp: 'dead', cancel: 'cancelled' } as const;

function reportEnded({ onCommitted }: Pick<Domain, 'onCommitted'>, as: keyof EndedDeliveries, count: number): void {
  if (count > 0) onCommitted([], { [as]: count });
}

/** Ends one open delivery outside of a transaction, and reports it; false when it had ended before. */
export async function endOpenDelivery(domain: EndDeps, { institutionId, deliveryId, cycle }: DeliveryCycle, as: keyof EndedDeliveries): Promise<boolean> {
  const ended = await endDelivery(domain.database.sql, institutionId, deliveryId, cycle, as);
  reportEnded(domain, as, ended ? 1 : 0);
  return ended;
}

/** Ends a claimed delivery whose event was pruned: nothing is left to be sent, so it is dead. */
export async function endPrunedDelivery(domain: EndDeps, { institution_id, id, cycle }: ClaimedDelivery): Promise<void> {
  await endOpenDelivery(domain, { institutionId: institution_id, deliveryId: id, cycle }, 'dead');
}

/** Ends those of an endpoint's deliveries that the moves concern; each chunk is reported as it is committed, so that one that fails takes no count along. */
export async function endDeliveriesByMove(domain: EndDeps, endpointId: string, now: Date, moves: readonly (keyof typeof finalStatusByMove)[]): Promise<void> {
  for (const move of moves) {
    await moveDeliveries(domain.database.sql, move, endpointId, now, { onChunk: (ended) => reportEnded(domain, finalStatusByMove[move], ended) });
  }
}

/** Ends what is open of an endpoint that is disabled or deleted. */
export function endAllDeliveries(domain: EndDeps, endpointId: string, now: Date): Promise<void> {
  return endDeliveriesByMove(domain, endpointId, now, ['giveUp', 'cancel']);
}

/** Gives back what processes claimed that did not live to finish, and ends what was never attempted in all its time; its statements run through `sql`. */
export async function endLapsedDeliveries(domain: Pick<Domain, 'onCommitted'>, sql: Sql): Promise<void> {
  reportEnded(domain, 'dead', await releaseLapsedClaims(sql));
}
