import { findEndpoint, lockEndpointStatus, recordReplayRequest } from '../../db/repositories/webhooks/endpoints';
import { countDeadDeliveries } from '../../db/repositories/webhooks/replays';
import type { Transaction } from '../context';
import { DomainError, requireFound } from '../errors';
import { newId } from '../ids';
import { endOfRange } from './endOfRange';
import { probeEndpointNow } from './probeEndpointNow';
import { requireActiveEndpoint } from './requireActiveEndpoint';
import { typesMatchingAny } from './subscriptions';

/** Minimum time between two replays of an endpoint, in ms, so that normally one runs at a time. */
const minReplayIntervalMs = 60_000;

/** A requested bulk replay: how many dead deliveries matched, and the workflow that replays them; null if none matched, and of a dry run. */
export interface BulkReplay {
  workflowId: string | null;
  matched: number;
}

/** Which dead deliveries are replayed: those created after `since` and up to `until`, or now, and those of some types or prefixes, and of some responses. */
export interface DeadFilter {
  since: Date;
  until?: Date | undefined;
  eventTypes?: readonly string[] | undefined;
  /** Status codes of the last attempt's response, or classes such as `5xx`. */
  responseCodes?: readonly string[] | undefined;
}

/** The dead deliveries to replay, or only to count. */
export interface ReplayRequest extends DeadFilter {
  dryRun?: boolean | undefined;
}

/**
 * Starts the replay of every dead delivery of an endpoint that matches a filter and whose event still exists.
 * `not_found`, `endpoint_inactive` for a paused or disabled endpoint, and `conflict` within a minute of the last replay. A dry run of such an
 * endpoint counts.
 */
export async function replayDeadDeliveries(tx: Transaction, endpointId: string, { since, until, eventTypes, responseCodes, dryRun = false }: ReplayRequest): Promise<BulkReplay> {
  const found = await findEndpoint(tx, endpointId);
  if (dryRun) requireFound(found, 'webhook endpoint');
  else requireActiveEndpoint(found);
  const end = await endOfRange(tx, tx.now, until);
  const narrowed = { ...(eventTypes === undefined ? {} : { eventTypes: typesMatchingAny(eventTypes) }), ...(responseCodes === undefined ? {} : { responseCodes }) };
  // Counted before any lock: there may be very many, and new events of the institution must not wait for the count.
  const matched = await countDeadDeliveries(tx, { endpointId, since, until: end, ...narrowed });
  if (dryRun || matched === 0) return { workflowId: null, matched };
  const endpoint = await lockEndpointStatus(tx, endpointId);
  requireActiveEndpoint(endpoint?.deleted === true ? undefined : endpoint);
  if (!(await recordReplayRequest(tx, endpointId, tx.now, new Date(tx.now.getTime() - minReplayIntervalMs)))) {
    throw new DomainError('conflict', 'A replay of this endpoint was requested less than a minute ago; retry in a minute.');
  }
  await probeEndpointNow(tx, endpointId);
  const replayId = newId('rpl');
  const { institutionId } = tx;
  tx.startWorkflow('bulkReplay', replayId, { replayId, institutionId, endpointId, sinceMs: since.getTime(), untilMs: end.getTime(), matched, ...narrowed });
  return { workflowId: replayId, matched };
}
