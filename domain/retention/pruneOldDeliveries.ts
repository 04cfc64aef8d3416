import { deleteDeliveriesBefore, deleteEndpointsBefore, institutionsWithDeliveriesBefore, type RowPosition } from '../../db/repositories/retention/retention';
import type { Domain, Transaction } from '../context';
import { retentionCutoff } from './periods';
import { nextPosition, type RetentionStep } from './pruneOldEvents';

/** Maximum number of deliveries that one transaction deletes; each may have a dozen attempts with 4 KiB of response. */
export const deliveryChunk = 1_000;

/** Maximum number of endpoints that one transaction deletes: more than an institution can create in a day. */
const endpointChunk = 2_000;

const daysOfWeek = 7;

/** A week (UTC, from its Monday) goes with its partition once its last day is 90 days old; what is deleted row by row is older, and was not in a partition of its own. */
const deletedBefore = (now: Date): Date => {
  const cutoff = retentionCutoff('deliveries', now);
  const sinceMonday = (cutoff.getUTCDay() + daysOfWeek - 1) % daysOfWeek;
  return new Date(Date.UTC(cutoff.getUTCFullYear(), cutoff.getUTCMonth(), cutoff.getUTCDate() - sinceMonday));
};

/**
 * Deletes one chunk of the institution's deliveries of weeks that are older than 90 days and have ended, with their attempts
 * and replays, oldest first, after `after`. Open deliveries stay, regardless of age. The last chunk also deletes endpoints
 * that were deleted by their institution that long ago and have no deliveries left.
 */
export async function pruneOldDeliveries(tx: Transaction, after: RowPosition | null): Promise<RetentionStep> {
  const deleted = await deleteDeliveriesBefore(tx, deletedBefore(tx.now), after, deliveryChunk);
  const next = nextPosition(deleted, deliveryChunk);
  if (next === null) await deleteEndpointsBefore(tx, retentionCutoff('deliveries', tx.now), endpointChunk);
  return { removed: deleted.length, kept: 0, next };
}

/** Returns the next institutions with deliveries to delete, in the order of their ids, after `afterId` ('' for the first). */
export function institutionsWithOldDeliveries({ database }: Pick<Domain, 'database'>, now: Date, afterId: string, limit: number): Promise<string[]> {
  return institutionsWithDeliveriesBefore(database.sql, deletedBefore(now), retentionCutoff('deliveries', now), afterId, limit);
}
