import type { ClaimedDelivery } from '../../../db/repositories/webhooks/sending';
import type { Sql } from '../../../db/statement';
import { attemptOf } from '../deliveryTables';
import statements from './statements.json';

/*
 * What 0.17.0 does with deliveries, by its own statements: it looks for open ones in both tables, and writes new ones to
 * `open_deliveries`. Those since 0.12.0 are the same.
 */

const window = 12 * 3_600_000;

/** Fans out events. */
export const fanOut = (sql: Sql): Promise<unknown> => sql(statements.fanOut, [500, window, '0']);

/** Claims pending deliveries of an endpoint. */
export const claim = (sql: Sql, endpointId: string, limit: number, claimedBy: string): Promise<ClaimedDelivery[]> =>
  sql(statements.claimPending, [[endpointId], [limit], claimedBy, window, false, [null]]);

/** Records successes of claimed deliveries. */
export async function succeed(sql: Sql, deliveries: readonly ClaimedDelivery[], claimedBy: string): Promise<void> {
  const values = [JSON.stringify(deliveries.map((one) => attemptOf(one, 'delivered'))), claimedBy];
  const ended = await sql(statements.endByMoving, values);
  if (ended.length < deliveries.length) await sql(statements.endInPlace, values);
}

/** Releases lapsed claims. */
export const releaseLapsed = (sql: Sql): Promise<unknown> => sql(statements.releaseLapsed);

/** Moves deliveries of an endpoint that wait. */
export const move = (sql: Sql, how: 'hold' | 'release', endpointId: string): Promise<{ id: string }[]> =>
  sql(statements[how], [endpointId, 1_000, new Date(Date.now() + 3_600_000)]);

/** Replays a delivery that has ended. */
export const replay = (sql: Sql, institutionId: string, id: string): Promise<unknown> => sql(statements.replay, [institutionId, id, new Date(Date.now() + window)]);

/** Cancels an open delivery. */
export const cancel = (sql: Sql, institutionId: string, id: string, cycle: number): Promise<{ id: string }[]> =>
  sql(statements.end, [institutionId, id, 'cancelled', cycle, 'cancelled', new Date()]);
