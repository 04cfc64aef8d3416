import { moveDeliveries, openBacklogs, wakeBacklogs } from '../../db/repositories/webhooks/backlog';
import type { EndpointReference } from '../../db/repositories/webhooks/endpoints';
import { findEndpointsToWarn, findWarnedNoLonger, type EndpointOnClock } from '../../db/repositories/webhooks/endpointWarnings';
import { closeLostBacklogs, findFailing, findLastAnswered, findStuckEndpoints, handOverLost, type StuckEndpoint } from '../../db/repositories/webhooks/stuckDeliveries';
import { onClock } from '../clock';
import type { Domain } from '../context';
import { goneStatusCode } from './classifyAttempt';
import { attemptsToDisable, disableGoneEndpoint, disableFailingEndpoint, disableAfterMs } from './disableEndpoint';
import { endAllDeliveries } from './endWithoutAttempt';
import { endWarning, warnOfFailingEndpoint } from './warnOfEndpoint';

/** A workflow overdue by this many ms is considered lost. Longer than a restart of Temporal takes. */
const lostAfterMs = 15 * 60_000;

const repairs = { released: 'release', unheld: 'hold' } as const satisfies Partial<Record<keyof StuckEndpoint, string>>;

/** Maximum number of endpoints that one run warns of, and of which it ends the warnings; the next run takes the rest. */
const maxWarningsARun = 500;

/** Returns an endpoint, and a moment of the real time by the clock of its institution. */
const onOwnClock = ({ id, institution_id, clock_offset_ms }: EndpointOnClock, now: Date): [EndpointReference, Date] =>
  [{ endpointId: id, institutionId: institution_id }, onClock({ clockOffsetMs: clock_offset_ms }, now)];

/**
 * Finds and repairs stuck deliveries: held without reason, pending where none are sent, waiting without a backlog.
 * Disables endpoints that have failed for 72 hours, or responded with 410; warns of those on the way to it, and reports those
 * that have recovered. An error at one endpoint does not affect the
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
  for (const endpoint of await findFailing(sql, new Date(now.getTime() - disableAfterMs))) await collectError(() => disableFailingEndpoint(domain, ...onOwnClock(endpoint, now)));
  for (const endpoint of await findWarnedNoLonger(sql, maxWarningsARun)) await collectError(() => endWarning(domain, ...onOwnClock(endpoint, now)));
  for (const endpoint of await findEndpointsToWarn(sql, now, { disableAfterMs, ...attemptsToDisable, limit: maxWarningsARun })) {
    await collectError(() => warnOfFailingEndpoint(domain, ...onOwnClock(endpoint, now)));
  }
  for (const last of await findLastAnswered(sql, goneStatusCode)) await collectError(() => disableGoneEndpoint(domain, last));
  if (errors.length > 0) throw new AggregateError(errors, 'Some stuck deliveries were not repaired');
}
