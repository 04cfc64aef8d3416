import type { TestApi } from './api';
import { eventually } from './eventually';

/** Rows that a transaction of the test holds, and who waits for them. */
export interface LockedRows {
  /** Waits until another transaction waits for these rows; returns its backend's process id. */
  waitForBlocked(): Promise<number>;
  /** Waits until another transaction waits for a lock of this process; returns its backend's process id. */
  waitForBlockedBy(pid: number): Promise<number>;
  /** Releases the rows unchanged. */
  release(): Promise<void>;
}

/**
 * Locks the rows that `lock` selects, in a transaction of its own, while `work` runs, which may release them before
 * its end. The service gives up waiting after two seconds.
 */
export async function withLockedRows<Result>({ api }: TestApi, lock: string, values: unknown[], work: (held: LockedRows) => Promise<Result>): Promise<Result> {
  const { pool } = api.domain.database;
  const client = await pool.connect();
  const waitForBlockedBy = async (pid: number): Promise<number> => {
    const waiting = await eventually(`a transaction that waits for process ${pid}`, async () =>
      (await pool.query<{ pid: number }>("SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND $1 = ANY (pg_blocking_pids(pid))", [pid])).rows[0], 5_000);
    return waiting.pid;
  };
  let held = true;
  const release = async (): Promise<void> => {
    if (held) await client.query('ROLLBACK');
    held = false;
  };
  try {
    await client.query('BEGIN');
    const own = (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid ?? 0;
    await client.query(lock, values);
    return await work({ waitForBlocked: () => waitForBlockedBy(own), waitForBlockedBy, release });
  } finally {
    await release().finally(() => client.release());
  }
}
