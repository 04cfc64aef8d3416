import { moveDeliveries, openBacklogs } from '../../db/repositories/backlog';
import { closeLostBacklogs, findFailing, findStrays, handOverLost, type StrayEndpoint } from '../../db/repositories/strays';
import type { Domain } from '../context';
import { disableHopeless, hopelessAfterMs } from './disableEndpoint';

/** A workflow that is so late, in ms, is taken for lost. Longer than a restart of Temporal takes. */
const lostAfterMs = 15 * 60_000;

const mends = { released: 'release', unheld: 'hold', off: 'giveUp' } as const satisfies Partial<Record<keyof StrayEndpoint, string>>;

/**
 * Finds deliveries that stand as they should not and puts them right: held without reason, pending where nothing is
 * taken, waiting without anybody who waits. Disables endpoints that have failed for 72 hours.
 */
export async function mendStrays(domain: Domain, now: Date): Promise<void> {
  const { sql } = domain.database;
  const overdue = new Date(now.getTime() - lostAfterMs);
  const unattended = [...(await handOverLost(sql, overdue)), ...(await closeLostBacklogs(sql, overdue))];
  for (const stray of await findStrays(sql)) {
    for (const fault of ['released', 'unheld', 'off'] as const) {
      if (stray[fault]) await moveDeliveries(sql, mends[fault], stray.id, now);
    }
    if (stray.unattended || stray.unheld) unattended.push(stray.id);
  }
  if (unattended.length > 0 && (await openBacklogs(sql, unattended)) > 0) domain.onCommitted(['workflows']);
  for (const { id, institution_id } of await findFailing(sql, new Date(now.getTime() - hopelessAfterMs))) {
    await disableHopeless(domain, { endpointId: id, institutionId: institution_id }, now);
  }
}
