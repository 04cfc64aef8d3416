import { moveDeliveries, openBacklogs } from '../../db/repositories/webhooks/backlog';
import { restEndpoints } from '../../db/repositories/webhooks/clockPauses';
import type { Transaction } from '../context';

/** So many chunks are held with the command; nothing of what is left is sent, and its backlog holds it. */
const chunksAtOnce = 5;

/** Holds what waits for the sender at an endpoint, locked by the caller, that takes none now, and has its backlog wait for it; one that takes some is left alone. */
export async function holdEndpoint(tx: Transaction, endpointId: string): Promise<void> {
  if ((await moveDeliveries(tx.sql, 'hold', endpointId, tx.now, { atMost: chunksAtOnce })) === 0) return;
  if ((await openBacklogs(tx.sql, [endpointId])) > 0) tx.wake();
}

/** An endpoint that the caller has just paused under its lock begins to rest, and what waits for the sender is held. */
export async function restEndpoint(tx: Transaction, endpointId: string): Promise<void> {
  await restEndpoints(tx, endpointId, tx.now);
  await holdEndpoint(tx, endpointId);
}

/** The same for every endpoint of an institution that the caller has just suspended. */
export async function restInstitution(tx: Transaction): Promise<void> {
  for (const id of await restEndpoints(tx, null, tx.now)) await holdEndpoint(tx, id);
}
