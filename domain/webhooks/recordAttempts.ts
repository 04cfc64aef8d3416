import { recordFailures, type RecordedAttempt } from '../../db/repositories/webhooks/attempts';
import { moveDeliveries, wakeBacklogs } from '../../db/repositories/webhooks/backlog';
import type { Sql } from '../../db/statement';
import { failureLimits } from './circuitBreaker';
import { ConsecutiveFailures } from './consecutiveFailures';

/** Writes failed attempts; returns the number of outbox rows. `consecutive` contains the successes in between. */
export function writeFailures(sql: Sql, attempts: readonly RecordedAttempt[], claimedBy: string, consecutive = new ConsecutiveFailures()): Promise<number> {
  return recordFailures(sql, consecutive.mark(attempts), claimedBy, failureLimits);
}

/** Maximum number of chunks released by the process that closes a circuit; the backlog releases the remaining deliveries. */
const maxChunks = 20;

/**
 * Releases the held deliveries of an endpoint whose circuit has closed, oldest first; calls `onChunk` after each chunk. `now` is the
 * end of the attempt that closed it. Returns the number of outbox rows.
 */
export async function releaseHeld(sql: Sql, endpointId: string, now: Date, onChunk: () => void): Promise<number> {
  await moveDeliveries(sql, 'release', endpointId, now, { onChunk, atMost: maxChunks });
  return wakeBacklogs(sql, [endpointId], now);
}
