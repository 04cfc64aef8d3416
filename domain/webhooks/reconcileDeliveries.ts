import { moveDeliveries, openBacklogs, wakeBacklogs } from '../../db/repositories/webhooks/backlog';
import { closeLostBacklogs, findFailing, findLastAnswered, findStrays, handOverLost, type StrayEndpoint } from '../../db/repositories/webhooks/stuckDeliveries';
import type { Domain } from '../context';
import { gone } from './classifyAttempt';
import { disableGoneEndpoint, disableHopeless, hopelessAfterMs } from './disableEndpoint';
import { giveUpAll } from './endWithoutAttempt';

/** A workflow that is so late, in ms, is taken for lost. Longer than a restart of Temporal takes. */
const lostAfterMs = 15 * 60_000;

const mends = { released: 'release', unheld: 'hold' } as const satisfies Partial<Record<keyof StrayEndpoint, string>>;

/**
 * Finds deliveries that stand as they should not and puts them right: held without reason, pending where nothing is
 * taken, waiting without anybody who waits. Disables endpoints that have failed for 72 hours, or were answered 410. What
 * cannot be mended at one endpoint keeps none of the others; it is raised at the end, as an AggregateError.
 */
export async function mendStrays(domain: Domain, now: Date): Promise<void> {
  const { sql } = domain.database;
  const errors: unknown[] = [];
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    await work().catch((error: unknown) => errors.push(error));
  };
  const attend = async (endpointIds: readonly string[]): Promise<void> => {
    // One by one: an endpoint that somebody holds keeps none of the others waiting.
    for (const id of endpointIds) {
      await attempt(async () => {
        const owed = (await openBacklogs(sql, [id])) + (await wakeBacklogs(sql, [id], now));
        if (owed > 0) domain.onCommitted(['workflows']);
      });
    }
  };

  const overdue = new Date(now.getTime() - lostAfterMs);
  await attempt(async () => attend(await handOverLost(sql, overdue)));
  await attempt(async () => attend(await closeLostBacklogs(sql, overdue)));
  for (const stray of await findStrays(sql)) {
    for (const fault of ['released', 'unheld'] as const) {
      if (stray[fault]) await attempt(() => moveDeliveries(sql, mends[fault], stray.id, now, { skipLocked: true }));
    }
    if (stray.off) await attempt(() => giveUpAll(domain, stray.id, now));
    if (stray.unattended || stray.unheld) await attend([stray.id]);
  }
  for (const { id, institution_id } of await findFailing(sql, new Date(now.getTime() - hopelessAfterMs))) {
    await attempt(() => disableHopeless(domain, { endpointId: id, institutionId: institution_id }, now));
  }
  for (const last of await findLastAnswered(sql, gone)) await attempt(() => disableGoneEndpoint(domain, last));
  if (errors.length > 0) throw new AggregateError(errors, 'Some strays were not mended');
}
