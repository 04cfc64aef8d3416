import { moveDeliveries, openBacklogs } from '../../db/repositories/webhooks/backlog';
import { pauseClocks } from '../../db/repositories/webhooks/clockPauses';
import type { Transaction } from '../context';

/** Maximum number of chunks held by the command; the backlog holds the remaining deliveries, none of which are sent. */
const maxChunks = 5;

/** Holds the deliveries that wait for the sender at an endpoint, locked by the caller, and lets its backlog wait; no-op if the endpoint accepts deliveries. */
export async function holdEndpointDeliveries(tx: Transaction, endpointId: string): Promise<void> {
  if ((await moveDeliveries(tx.sql, 'hold', endpointId, tx.now, { atMost: maxChunks })) === 0) return;
  if ((await openBacklogs(tx.sql, [endpointId])) > 0) tx.wake();
}

/** Pauses the clock of an endpoint that the caller has just paused under its lock, and holds what waits for the sender. */
export async function pauseEndpointDeliveries(tx: Transaction, endpointId: string): Promise<void> {
  await pauseClocks(tx, endpointId, tx.now);
  await holdEndpointDeliveries(tx, endpointId);
}

/** Pauses the clocks of all endpoints of an institution that the caller has just suspended, and holds what waits for the sender. */
export async function pauseInstitutionDeliveries(tx: Transaction): Promise<void> {
  for (const id of await pauseClocks(tx, null, tx.now)) await holdEndpointDeliveries(tx, id);
}
