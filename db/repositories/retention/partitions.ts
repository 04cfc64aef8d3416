import type { Pool } from 'pg';
import { onConnection, runBetween } from '../../pipeline';
import { waiveResponses } from '../../responseTimeout';
import type { Sql } from '../../statement';

/*
 * These statements are not prepared by name: they run once a day.
 */

/** A partition whose rows are all older than they are kept. */
export interface ExpiredPartition {
  table: string;
  part: string;
  /** Null for the first. */
  sinceId: string | null;
  untilId: string;
}

/** Returns the tables that are partitioned by time, attempts after their deliveries. */
export async function listPartitionedTables(sql: Sql): Promise<string[]> {
  return (await sql<{ name: string }>("SELECT name FROM partitioned_tables ORDER BY name = 'webhook_attempts', name")).map(({ name }) => name);
}

/** Makes the next partition if fewer than three are ahead; false if there are enough. Waits 50 ms for locks. */
export async function makePartition(sql: Sql, table: string): Promise<boolean> {
  return (await sql('SELECT 1 FROM make_partition($1) AS part WHERE part IS NOT NULL', [table])).length > 0;
}

/** Returns the partitions of a table that can be dropped, oldest first. */
export function listExpiredPartitions(sql: Sql, table: string): Promise<ExpiredPartition[]> {
  return sql<ExpiredPartition>('SELECT $1::text AS "table", part, since_id AS "sinceId", until_id AS "untilId" FROM expired_partitions($1)', [table]);
}

/**
 * Records the newest event of each type in a partition that is to be dropped, of the next institutions by id after `afterId` ('' for
 * the first); returns the last of them, null if there are no more.
 */
export async function noteExpiredEvents(sql: Sql, part: string, afterId: string): Promise<string | null> {
  const [row] = await sql<{ last: string | null }>('SELECT note_expired_events($1, $2) AS last', [part, afterId]);
  return row?.last ?? null;
}

const deleteReplays =
  `DELETE FROM webhook_replays WHERE (delivery_id, ref) IN (
     SELECT r.delivery_id, r.ref FROM webhook_replays r
      WHERE r.delivery_id >= coalesce($1, '') AND r.delivery_id < $2 AND NOT EXISTS (SELECT 1 FROM open_deliveries d WHERE d.id = r.delivery_id)
      ORDER BY r.delivery_id LIMIT $3)
   RETURNING 1`;

/** Deletes the refs of the ended deliveries of a partition that is to be dropped, at most `limit`; returns how many. */
export async function deleteReplaysOfExpired(sql: Sql, { sinceId, untilId }: ExpiredPartition, limit: number): Promise<number> {
  return (await sql(deleteReplays, [sinceId, untilId, limit])).length;
}

/**
 * Has the planner count the rows of all partitions together, which autovacuum does not; skips a table that somebody else holds. Before
 * Postgres 18 it counts those of each partition as well: nothing limits its time.
 */
export async function analyzePartitioned(pool: Pool, table: string): Promise<void> {
  await onConnection(pool, async (client) => {
    const requireResponsesAgain = waiveResponses(client);
    await runBetween(client, ['BEGIN; SET LOCAL statement_timeout = 0', 'COMMIT'], 'SELECT analyze_partitioned($1)', [table]).finally(requireResponsesAgain);
  });
}

/** Drops an expired partition; false if a row of it is still needed. Waits 50 ms for locks. */
export async function dropPartition(sql: Sql, { table, part }: Pick<ExpiredPartition, 'table' | 'part'>): Promise<boolean> {
  const [row] = await sql<{ dropped: boolean }>('SELECT drop_partition($1, $2) AS dropped', [table, part]);
  return row?.dropped ?? false;
}
