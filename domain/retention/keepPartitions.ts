import { setTimeout as pause } from 'node:timers/promises';
import { isLockTimeout } from '../../db/lockTimeout';
import { analyzePartitioned, deleteReplaysOfExpired, dropPartition, listExpiredPartitions, listPartitionedTables, makePartition, noteExpiredEvents } from '../../db/repositories/retention/partitions';
import type { Domain } from '../context';

/** Everybody who wants the table waits behind a statement that waits for it: 50 ms at a time, and not at once again. */
const lockTries = 40;
const lockPauseMs = 200;

/** How many refs of deliveries one statement deletes. */
const replayChunk = 5_000;

/** Tries again what did not get its locks in time. */
async function withLocks<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work();
    } catch (error) {
      if (tried >= lockTries || !isLockTimeout(error)) throw error;
      await pause(lockPauseMs);
    }
  }
}

/**
 * Makes the partitions of the next three periods of a table, and drops those whose rows are all older than they are kept, unless
 * one is still needed. Returns how many were dropped.
 */
export async function keepPartitionsOf(table: string, { database: { sql } }: Pick<Domain, 'database'>): Promise<number> {
  let dropped = 0;
  while (await withLocks(() => makePartition(sql, table)));
  for (const expired of await listExpiredPartitions(sql, table)) {
    if (table === 'events') {
      for (let last: string | null = ''; last !== null; ) last = await noteExpiredEvents(sql, expired.part, last);
    }
    if (table === 'webhook_deliveries') while ((await deleteReplaysOfExpired(sql, expired, replayChunk)) === replayChunk);
    if (await withLocks(() => dropPartition(sql, expired))) dropped += 1;
  }
  return dropped;
}

/** Does this with each partitioned table, and has the planner count its rows; returns how many partitions were dropped. */
export async function keepPartitions(deps: Pick<Domain, 'database'>): Promise<number> {
  let dropped = 0;
  for (const table of await listPartitionedTables(deps.database.sql)) {
    dropped += await keepPartitionsOf(table, deps);
    await analyzePartitioned(deps.database.pool, table);
  }
  return dropped;
}
