import { findEndpoint, lockEndpointStatus } from '../../db/repositories/webhooks/endpoints';
import { countMissedEvents, recordRecoveryRequest } from '../../db/repositories/webhooks/recovery';
import type { Transaction } from '../context';
import { DomainError, requireFound } from '../errors';
import { newId } from '../ids';
import { endOfRange } from './endOfRange';
import { probeEndpointNow } from './probeEndpointNow';
import { requireActiveEndpoint } from './requireActiveEndpoint';
import { subscribedTypes } from './subscriptions';

/** Minimum time between two recoveries of an endpoint, in ms, so that normally one runs at a time. */
const minRecoveryIntervalMs = 60_000;

/** Number of events among which matches are counted; a recovery itself reads all. */
export const maxEventsCounted = 50_000;

/** Which events a recovery is for: those after `since` and up to `until`, or the newest one, narrowed to types or prefixes. */
export interface RecoveryRequest {
  since: Date;
  until?: Date | undefined;
  eventTypes?: readonly string[] | undefined;
  /** Only count. */
  dryRun?: boolean | undefined;
}

/** A requested recovery: how many events matched, and the workflow that writes their deliveries; null if none matched, and of a dry run. */
export interface Recovery {
  workflowId: string | null;
  matched: number;
}

/**
 * Starts the recovery of an endpoint: every event of a range that matches its subscription and has no delivery to it gets one.
 * `not_found`, `endpoint_inactive` for a paused or disabled endpoint, and `conflict` within a minute of the last recovery. A dry run of
 * such an endpoint counts.
 */
export async function recoverDeliveries(tx: Transaction, endpointId: string, { since, until, eventTypes, dryRun = false }: RecoveryRequest): Promise<Recovery> {
  const found = await findEndpoint(tx, endpointId);
  const { events } = dryRun ? requireFound(found, 'webhook endpoint') : requireActiveEndpoint(found);
  const end = await endOfRange(tx, tx.now, until);
  // Counted before any lock: there may be very many, and new events of the institution must not wait for the count.
  const { matched, complete } = await countMissedEvents(tx, endpointId, { since, until: end, types: subscribedTypes(events, eventTypes) }, maxEventsCounted);
  if (dryRun || (matched === 0 && complete)) return { workflowId: null, matched };
  const endpoint = await lockEndpointStatus(tx, endpointId);
  requireActiveEndpoint(endpoint?.deleted === true ? undefined : endpoint);
  if (!(await recordRecoveryRequest(tx, endpointId, tx.now, new Date(tx.now.getTime() - minRecoveryIntervalMs)))) {
    throw new DomainError('conflict', 'A recovery of this endpoint was requested less than a minute ago; retry in a minute.');
  }
  await probeEndpointNow(tx, endpointId);
  const recoveryId = newId('rcv');
  const { institutionId } = tx;
  const range = { sinceMs: since.getTime(), untilMs: end.getTime(), ...(eventTypes === undefined ? {} : { eventTypes }) };
  tx.startWorkflow('endpointRecovery', recoveryId, { recoveryId, institutionId, endpointId, ...range, matched });
  return { workflowId: recoveryId, matched };
}
