import type { EndpointStatus } from '../../db/entities/endpoint';
import { findEndpoint, lockEndpointStatus, recordReplayRequest } from '../../db/repositories/webhooks/endpoints';
import { countDeadDeliveries } from '../../db/repositories/webhooks/replays';
import type { Transaction } from '../context';
import { DomainError, notFound } from '../errors';
import { newId } from '../ids';

/** One replay of an endpoint at a time, as far as that can be told from when it was asked for, in ms. */
const minReplayIntervalMs = 60_000;

/** A bulk replay that was asked for: how many dead deliveries matched, and the workflow that replays them; null for none. */
export interface BulkReplay {
  workflowId: string | null;
  matched: number;
}

/**
 * Owes the replay of every dead delivery of an endpoint that was created after `since` and whose event still exists.
 * Raises `not_found`, `endpoint_inactive` for a paused or disabled endpoint, and `conflict` within a minute of the last one.
 */
export async function replayDeadDeliveries(tx: Transaction, endpointId: string, since: Date): Promise<BulkReplay> {
  requireActiveEndpoint(await findEndpoint(tx, endpointId));
  // Counted before anything is locked: there may be very many, and new events of the institution do not wait for the count.
  const matched = await countDeadDeliveries(tx, { endpointId, since, until: tx.now });
  if (matched === 0) return { workflowId: null, matched };
  const endpoint = await lockEndpointStatus(tx, endpointId);
  requireActiveEndpoint(endpoint?.deleted === true ? undefined : endpoint);
  if (!(await recordReplayRequest(tx, endpointId, tx.now, new Date(tx.now.getTime() - minReplayIntervalMs)))) {
    throw new DomainError('conflict', 'A replay of this endpoint was asked for less than a minute ago.');
  }
  const replayId = newId('rpl');
  const { institutionId } = tx;
  tx.startWorkflow('bulkReplay', replayId, { replayId, institutionId, endpointId, sinceMs: since.getTime(), untilMs: tx.now.getTime(), matched });
  return { workflowId: replayId, matched };
}

function requireActiveEndpoint(endpoint: { status: EndpointStatus } | undefined): void {
  if (endpoint === undefined) throw notFound('webhook endpoint');
  if (endpoint.status !== 'active') throw new DomainError('endpoint_inactive', `The endpoint is ${endpoint.status}; make it active first.`);
}
