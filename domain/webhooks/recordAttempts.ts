import { noteSuccesses, recordFailures, recordSuccesses, type RecordedAttempt } from '../../db/repositories/attempts';
import { moveDeliveries } from '../../db/repositories/backlog';
import type { Sql } from '../../db/statement';
import { failureBounds } from './circuit';

/** Writes what failed; answers how many rows it has left for Temporal. */
export function writeFailures(sql: Sql, attempts: readonly RecordedAttempt[], claimedBy: string): Promise<number> {
  return recordFailures(sql, attempts, claimedBy, failureBounds);
}

/** Writes what succeeded. */
export const writeSuccesses = recordSuccesses;

/**
 * Keeps that endpoints answered. A circuit that was open is closed by it, and what was held goes to the sender, oldest
 * first; `onReleased` hears of each chunk.
 */
export async function noteRecoveries(sql: Sql, successes: readonly RecordedAttempt[], onReleased: () => void): Promise<void> {
  for (const endpointId of await noteSuccesses(sql, successes)) {
    await moveDeliveries(sql, 'release', endpointId, new Date(), onReleased);
  }
}
