import { institutionsWithEventsBefore, lockEventsBefore, pruneEvents, type RowPosition } from '../../db/repositories/retention/retention';
import type { Domain, Transaction } from '../context';
import { retentionCutoff } from './periods';

export type { RowPosition };

/** How many events one transaction looks at. */
export const eventChunk = 5_000;

/** What one chunk came to; `next` is where the following one begins, null when this was the institution's last. */
export interface RetentionStep {
  removed: number;
  /** Old rows that had to stay this time. */
  kept: number;
  next: RowPosition | null;
}

/**
 * Prunes one chunk of the institution's events that are older than 30 days, oldest first, from after `after`. What is
 * not fanned out yet and what an open delivery still has to send stays. The feed learns in the same transaction up to
 * when events of each type are gone.
 */
export async function pruneOldEvents(tx: Transaction, after: RowPosition | null): Promise<RetentionStep> {
  const before = retentionCutoff('events', tx.now);
  const locked = await lockEventsBefore(tx, before, after, eventChunk);
  const removed = await pruneEvents(tx, before, locked.map(({ id }) => id));
  return { removed, kept: locked.length - removed, next: nextPosition(locked, eventChunk) };
}

/** Where the chunk after these rows begins; null when they did not fill theirs. */
export function nextPosition(rows: readonly { id: string; created_at: Date }[], chunk: number): RowPosition | null {
  const last = rows.at(-1);
  return last === undefined || rows.length < chunk ? null : { createdAtMs: last.created_at.getTime(), id: last.id };
}

/** The next institutions with events older than 30 days, in the order of their ids, from after `afterId` ('' for the first). */
export function institutionsWithOldEvents({ database }: Pick<Domain, 'database'>, now: Date, afterId: string, limit: number): Promise<string[]> {
  return institutionsWithEventsBefore(database.sql, retentionCutoff('events', now), afterId, limit);
}
