import { moveDeliveries, openBacklogs } from '../../db/repositories/webhooks/backlog';
import { pauseClocks } from '../../db/repositories/webhooks/clockPauses';
import type { Transaction } from '../context';

/** So many chunks are held with the command; nothing of what is left is sent, and its backlog holds it. */
const maxChunks = 5;

/** Holds what waits for the sender at an endpoint, locked by the caller, that takes none now, and has its backlog wait for it; one that takes some is left alone. */
export async function holdEndpointDeliveries(tx: Transaction, endpointId: string): Promise<void> {
  if ((await moveDeliveries(tx.sql, 'hold', endpointId, tx.now, { atMost: maxChunks })) === 0) return;
  if ((await openBacklogs(tx.sql, [endpointId])) > 0) tx.wake();
}

/** An endpoint that the caller has just paused under its lock begins to rest, and what waits for the sender is held. */
export async function pauseEndpointDeliveries(tx: Transaction, endpointId: string): Promise<void> {
  await pauseClocks(tx, endpointId, tx.now);
  await holdEndpointDeliveries(tx, endpointId);
}

/** The same for every endpoint of an institution that the caller has just suspended. */
export async function pauseInstitutionDeliveries(tx: Transaction): Promise<void> {
  for (const id of await pauseClocks(tx, null, tx.now)) await holdEndpointDeliveries(tx, id);
}
