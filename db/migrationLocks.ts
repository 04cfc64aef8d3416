import type { DataSource } from 'typeorm';
import { startRepeatingTask } from '../lib/repeatingTask';

/** What a session waited for last, and who held it; undefined if it was not seen waiting. */
export interface LockWatch {
  last(): string | undefined;
  stop(): Promise<void>;
}

/*
 * The table of a lock of a row is that of the tuple that the waiting session has locked. Of the sessions of other roles, Postgres
 * hides state and times from roles without pg_read_all_stats. Their statements are not shown to anybody: they may have values.
 */
const lockWait = `
SELECT format('%s is locked by %s',
         coalesce((SELECT string_agg(DISTINCT relation::regclass::text, ', ') FROM pg_locks WHERE pid = $1 AND NOT granted AND relation IS NOT NULL),
                  (SELECT 'a row of ' || string_agg(DISTINCT relation::regclass::text, ', ') FROM pg_locks WHERE pid = $1 AND granted AND locktype = 'tuple'),
                  'what it needs'),
         coalesce((SELECT string_agg(format('process %s (%s)', a.pid, concat_ws(', ', 'role ' || a.usename, nullif(a.application_name, ''), nullif(a.backend_type, 'client backend'), a.state,
                                       'transaction since ' || to_char(a.xact_start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))), ', ' ORDER BY a.xact_start, a.pid)
                     FROM pg_stat_activity a WHERE a.pid = ANY (b.pids)),
                  'a prepared transaction')) AS wait
  FROM (SELECT CASE WHEN wait_event_type = 'Lock' THEN pg_blocking_pids(pid) ELSE '{}' END AS pids FROM pg_stat_activity WHERE pid = $1) b
 WHERE cardinality(b.pids) > 0`;

function waitIn(rows: unknown): string | undefined {
  const row: unknown = Array.isArray(rows) ? rows[0] : undefined;
  return typeof row === 'object' && row !== null && 'wait' in row && typeof row.wait === 'string' ? row.wait : undefined;
}

/** How often a session is looked at. */
const everyMs = 250;

/** A wait this long, which only a statement without the lock timeout can have, is reported; again after twice as long, and so on. */
const longWaitMs = 10_000;

/** Watches, by another connection, what the session of `pid` waits for; the error of a lock timeout names neither table nor holder. */
export function watchLocks(dataSource: DataSource, pid: number, onLongWait: (wait: string) => void): LockWatch {
  let seen: string | undefined;
  let waitedMs = 0;
  let reportAtMs = longWaitMs;
  const startedAt = performance.now();
  const look = async (): Promise<void> => {
    // Most migrations are done by then.
    if (performance.now() - startedAt < everyMs) return;
    const wait = waitIn(await dataSource.query(lockWait, [pid]));
    if (wait === undefined) {
      waitedMs = 0;
      reportAtMs = longWaitMs;
      return;
    }
    seen = wait;
    waitedMs += everyMs;
    if (waitedMs < reportAtMs) return;
    onLongWait(wait);
    reportAtMs *= 2;
  };
  // Without it a migration goes on as well: it says less where it gives up.
  const { stop } = startRepeatingTask(look, { everyMs, onError: () => undefined });
  return { last: () => seen, stop };
}
