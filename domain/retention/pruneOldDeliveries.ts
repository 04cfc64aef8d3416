import { deleteDeliveriesBefore, deleteEndpointsBefore, institutionsWithDeliveriesBefore, type RowPosition } from '../../db/repositories/retention/retention';
import type { Domain, Transaction } from '../context';
import { retentionCutoff } from './periods';
import { nextPosition, type RetentionStep } from './pruneOldEvents';

/** How many deliveries one transaction deletes; each may have a dozen attempts with 4 KiB of answer. */
export const deliveryChunk = 1_000;

/** How many endpoints one transaction deletes: more than an institution can create in a day. */
const endpointChunk = 2_000;

/**
 * Deletes one chunk of the institution's deliveries that are older than 90 days and have ended, with their attempts
 * and replays, oldest first, from after `after`. Open ones stay, however old. With the last chunk go the endpoints that were
 * deleted as long ago and have no deliveries any more.
 */
export async function pruneOldDeliveries(tx: Transaction, after: RowPosition | null): Promise<RetentionStep> {
  const deleted = await deleteDeliveriesBefore(tx, retentionCutoff('deliveries', tx.now), after, deliveryChunk);
  const next = nextPosition(deleted, deliveryChunk);
  if (next === null) await deleteEndpointsBefore(tx, retentionCutoff('deliveries', tx.now), endpointChunk);
  return { removed: deleted.length, kept: 0, next };
}

/** The next institutions with deliveries to delete, in the order of their ids, from after `afterId` ('' for the first). */
export function institutionsWithOldDeliveries({ database }: Pick<Domain, 'database'>, now: Date, afterId: string, limit: number): Promise<string[]> {
  return institutionsWithDeliveriesBefore(database.sql, retentionCutoff('deliveries', now), afterId, limit);
}
