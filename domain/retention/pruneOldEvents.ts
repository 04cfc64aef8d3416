import { institutionsWithEventsBefore, lockEventsBefore, pruneEvents, type RowPosition } from '../../db/repositories/retention/retention';
import type { Domain, Transaction } from '../context';
import { retentionCutoff } from './periods';

export type { RowPosition };

/** Maximum number of events that one transaction reads. */
export const eventChunk = 5_000;

/** The result of one chunk; `next` is the position of the following one, null after the institution's last. */
export interface RetentionStep {
  removed: number;
  /** Old rows that could not be deleted yet. */
  kept: number;
  next: RowPosition | null;
}

/** The day (UTC) that is 30 days old goes with its partition once it is over; what is pruned row by row is older, and was left behind. */
const prunedBefore = (now: Date): Date => {
  const cutoff = retentionCutoff('events', now);
  return new Date(Date.UTC(cutoff.getUTCFullYear(), cutoff.getUTCMonth(), cutoff.getUTCDate()));
};

/**
 * Prunes one chunk of the institution's events of days that are older than 30 days, oldest first, after `after`. Events not
 * fanned out yet, and those that an open delivery still has to send, stay. The same transaction records up to when events
 * of each type are pruned.
 */
export async function pruneOldEvents(tx: Transaction, after: RowPosition | null): Promise<RetentionStep> {
  const before = prunedBefore(tx.now);
  const locked = await lockEventsBefore(tx, before, after, eventChunk);
  const removed = await pruneEvents(tx, before, locked.map(({ id }) => id));
  return { removed, kept: locked.length - removed, next: nextPosition(locked, eventChunk) };
}

/** Returns the position of the next chunk; null if these rows did not fill a chunk. */
export function nextPosition(rows: readonly { id: string; created_at: Date }[], chunk: number): RowPosition | null {
  const last = rows.at(-1);
  return last === undefined || rows.length < chunk ? null : { createdAtMs: last.created_at.getTime(), id: last.id };
}

/** Returns the next institutions with events older than 30 days, in the order of their ids, after `afterId` ('' for the first). */
export function institutionsWithOldEvents({ database }: Pick<Domain, 'database'>, now: Date, afterId: string, limit: number): Promise<string[]> {
  return institutionsWithEventsBefore(database.sql, prunedBefore(now), afterId, limit);
}
