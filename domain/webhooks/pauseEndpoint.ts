import { moveDeliveries, openBacklogs } from '../../db/repositories/backlog';
import { listEndpointIds } from '../../db/repositories/endpoints';
import type { Transaction } from '../context';

/** Holds what waits for the sender at an endpoint, locked by the caller, that takes none now, and has its backlog wait for it; one that takes some is left alone. */
export async function holdEndpoint(tx: Transaction, endpointId: string): Promise<void> {
  if ((await moveDeliveries(tx.sql, 'hold', endpointId, tx.now)) === 0) return;
  if ((await openBacklogs(tx.sql, [endpointId])) > 0) tx.wake();
}

/** The same for every endpoint of an institution that the caller has just suspended. */
export async function holdInstitution(tx: Transaction): Promise<void> {
  for (const id of await listEndpointIds(tx)) await holdEndpoint(tx, id);
}
