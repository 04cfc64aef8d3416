import type { ClaimedDelivery } from '../../../db/repositories/webhooks/sending';
import type { DeliveryRow } from '../../../db/repositories/webhooks/deliveries';
import type { Sql } from '../../../db/statement';
import { attemptOf } from '../deliveryTables';
import statements from './statements.json';

/*
 * What 0.10.0 does with deliveries, by its own statements: it knows one table of them. Those of 0.10.1, 0.11.0 and 0.11.1 are the same.
 */

const window = 12 * 3_600_000;

/** Fans out events. */
export const fanOut = (sql: Sql): Promise<unknown> => sql(statements.fanOut, [500, window]);

/** Claims pending deliveries of an endpoint. */
export const claim = (sql: Sql, endpointId: string, limit: number, claimedBy: string): Promise<ClaimedDelivery[]> =>
  sql(statements.claimPending, [[endpointId], [limit], claimedBy, window, false]);

/** Records successes of claimed deliveries. */
export const succeed = (sql: Sql, deliveries: readonly ClaimedDelivery[], claimedBy: string): Promise<unknown> =>
  sql(statements.recordSuccesses, [JSON.stringify(deliveries.map((one) => attemptOf(one, 'delivered'))), claimedBy]);

/** Releases lapsed claims. */
export const releaseLapsed = (sql: Sql): Promise<unknown> => sql(statements.releaseLapsed);

/** Moves deliveries of an endpoint that wait. */
export const move = (sql: Sql, how: 'hold' | 'release' | 'due' | 'giveUp', endpointId: string): Promise<{ id: string }[]> =>
  sql(statements[how], [endpointId, 1_000, new Date(Date.now() + 3_600_000)]);

/** Reads a delivery. */
export async function find(sql: Sql, institutionId: string, id: string): Promise<DeliveryRow | undefined> {
  const [row] = await sql<DeliveryRow>(statements.find, [institutionId, id]);
  return row;
}

/** The newest deliveries of an institution. */
export const list = (sql: Sql, institutionId: string): Promise<DeliveryRow[]> => sql(statements.list, [institutionId]);

/** Replays a delivery that has ended. */
export const replay = (sql: Sql, institutionId: string, id: string): Promise<unknown> => sql(statements.replay, [institutionId, id, new Date(Date.now() + window)]);

/** Cancels an open delivery. */
export const cancel = (sql: Sql, institutionId: string, id: string, cycle: number): Promise<{ id: string }[]> =>
  sql(statements.end, [institutionId, id, 'cancelled', cycle, 'cancelled', new Date()]);
