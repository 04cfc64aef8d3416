import { moveDeliveries, openBacklogs, wakeBacklogs } from '../../db/repositories/webhooks/backlog';
import { closeLostBacklogs, findFailing, findLastAnswered, findStuckEndpoints, handOverLost, type StuckEndpoint } from '../../db/repositories/webhooks/stuckDeliveries';
import { onClock } from '../clock';
import type { Domain } from '../context';
import { goneStatusCode } from './classifyAttempt';
import { disableGoneEndpoint, disableFailingEndpoint, disableAfterMs } from './disableEndpoint';
import { endAllDeliveries } from './endWithoutAttempt';

/** A workflow overdue by this many ms is considered lost. Longer than a restart of Temporal takes. */
const lostAfterMs = 15 * 60_000;

const repairs = { released: 'release', unheld: 'hold' } as const satisfies Partial<Record<keyof StuckEndpoint, string>>;

/**
 * Finds and repairs stuck deliveries: held without reason, pending where none are sent, waiting without a backlog.
 * Disables endpoints that have failed for 72 hours, or responded with 410. An error at one endpoint does not affect the
 * others; it is rethrown at the end, as an AggregateError.
 */
export async function reconcileDeliveries(domain: Domain, now: Date): Promise<void> {
  const { sql } = domain.database;
  const errors: unknown[] = [];
  const collectError = async (work: () => Promise<unknown>): Promise<void> => {
    await work().catch((error: unknown) => errors.push(error));
  };
  const ensureBacklogs = async (endpointIds: readonly string[]): Promise<void> => {
    // One by one: an endpoint locked by another transaction does not delay the others.
    for (const id of endpointIds) {
      await collectError(async () => {
        const outboxRows = (await openBacklogs(sql, [id])) + (await wakeBacklogs(sql, [id], now));
        if (outboxRows > 0) domain.onCommitted(['workflows']);
      });
    }
  };

  const overdue = new Date(now.getTime() - lostAfterMs);
  await collectError(async () => ensureBacklogs(await handOverLost(sql, overdue)));
  await collectError(async () => ensureBacklogs(await closeLostBacklogs(sql, overdue)));
  for (const stuck of await findStuckEndpoints(sql)) {
    const ownNow = onClock({ clockOffsetMs: stuck.clock_offset_ms }, now);
    for (const fault of ['released', 'unheld'] as const) {
      if (stuck[fault]) await collectError(() => moveDeliveries(sql, repairs[fault], stuck.id, ownNow, { skipLocked: true }));
    }
    if (stuck.off) await collectError(() => endAllDeliveries(domain, stuck.id, ownNow));
    if (stuck.unattended || stuck.unheld) await ensureBacklogs([stuck.id]);
  }
  for (const { id, institution_id, clock_offset_ms } of await findFailing(sql, new Date(now.getTime() - disableAfterMs))) {
    await collectError(() => disableFailingEndpoint(domain, { endpointId: id, institutionId: institution_id }, onClock({ clockOffsetMs: clock_offset_ms }, now)));
  }
  for (const last of await findLastAnswered(sql, goneStatusCode)) await collectError(() => disableGoneEndpoint(domain, last));
  if (errors.length > 0) throw new AggregateError(errors, 'Some stuck deliveries were not repaired');
}
