import { findEndpoint, lockEndpointStatus, recordReplayRequest } from '../../db/repositories/webhooks/endpoints';
import { countDeadDeliveries } from '../../db/repositories/webhooks/replays';
import type { Transaction } from '../context';
import { DomainError } from '../errors';
import { newId } from '../ids';
import { requireActiveEndpoint } from './requireActiveEndpoint';

/** Minimum time between two replays of an endpoint, in ms, so that normally one runs at a time. */
const minReplayIntervalMs = 60_000;

/** A requested bulk replay: how many dead deliveries matched, and the workflow that replays them; null if none matched. */
export interface BulkReplay {
  workflowId: string | null;
  matched: number;
}

/**
 * Starts the replay of every dead delivery of an endpoint that was created after `since` and whose event still exists.
 * `not_found`, `endpoint_inactive` for a paused or disabled endpoint, and `conflict` within a minute of the last replay.
 */
export async function replayDeadDeliveries(tx: Transaction, endpointId: string, since: Date): Promise<BulkReplay> {
  requireActiveEndpoint(await findEndpoint(tx, endpointId));
  // Counted before any lock: there may be very many, and new events of the institution must not wait for the count.
  const matched = await countDeadDeliveries(tx, { endpointId, since, until: tx.now });
  if (matched === 0) return { workflowId: null, matched };
  const endpoint = await lockEndpointStatus(tx, endpointId);
  requireActiveEndpoint(endpoint?.deleted === true ? undefined : endpoint);
  if (!(await recordReplayRequest(tx, endpointId, tx.now, new Date(tx.now.getTime() - minReplayIntervalMs)))) {
    throw new DomainError('conflict', 'A replay of this endpoint was requested less than a minute ago; retry in a minute.');
  }
  const replayId = newId('rpl');
  const { institutionId } = tx;
  tx.startWorkflow('bulkReplay', replayId, { replayId, institutionId, endpointId, sinceMs: since.getTime(), untilMs: tx.now.getTime(), matched });
  return { workflowId: replayId, matched };
}
