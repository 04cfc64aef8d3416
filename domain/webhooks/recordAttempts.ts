import { updateLastSuccesses, recordFailures, recordSuccesses, type RecordedAttempt } from '../../db/repositories/webhooks/attempts';
import { moveDeliveries, wakeBacklogs } from '../../db/repositories/webhooks/backlog';
import type { Sql } from '../../db/statement';
import { failureLimits } from './circuitBreaker';
import { ConsecutiveFailures } from './consecutiveFailures';

/** Writes what failed; answers how many rows it has left for Temporal. `inRow` knows of the successes between. */
export function writeFailures(sql: Sql, attempts: readonly RecordedAttempt[], claimedBy: string, consecutive = new ConsecutiveFailures()): Promise<number> {
  return recordFailures(sql, consecutive.mark(attempts), claimedBy, failureLimits);
}

/** Writes what succeeded. */
export const writeSuccesses = recordSuccesses;

/** Keeps that endpoints answered; answers those whose circuit was open, and is closed by it. */
export const noteRecoveries = updateLastSuccesses;

/** So many chunks are let go by whoever closes a circuit; what is left then its backlog lets go. */
const maxChunks = 20;

/** Lets what is held at an endpoint whose circuit has closed go to the sender, oldest first; `onChunk` hears of each chunk. `now` is the end of the attempt that closed it. Answers how many rows are left for Temporal. */
export async function releaseHeld(sql: Sql, endpointId: string, now: Date, onChunk: () => void): Promise<number> {
  await moveDeliveries(sql, 'release', endpointId, now, { onChunk, atMost: maxChunks });
  return wakeBacklogs(sql, [endpointId], now);
}
