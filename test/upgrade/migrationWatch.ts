import type { Client } from 'pg';
import { withConnection } from '../../local/programs/postgres';
import { pause } from '../../local/waitUntil';

/** How long a migration took, how much of that it waited for locks, and the longest that others waited for it, in ms. */
export interface MigrationTimes {
  migration: string;
  took_ms: number;
  waited_ms: number;
  held_up_ms: number;
}

interface Look {
  migrates: boolean;
  done: string[];
  waits: boolean;
  blocks: boolean;
}

const everyMs = 20;

/** The migrations that are done, whether the session that migrates waits for a lock, and whether any other waits for it. */
const looked = `
WITH migrating AS (
  SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND objid::bigint = (hashtext('institution-api migrations')::bigint & 4294967295) AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
)
SELECT EXISTS (SELECT 1 FROM migrating) AS migrates,
       (SELECT coalesce(array_agg(name ORDER BY id), '{}') FROM migrations) AS done,
       EXISTS (SELECT 1 FROM pg_locks l JOIN migrating USING (pid) WHERE NOT l.granted) AS waits,
       EXISTS (SELECT 1 FROM (SELECT DISTINCT pid FROM pg_locks WHERE NOT granted) w, migrating m WHERE m.pid = ANY (pg_blocking_pids(w.pid))) AS blocks`;

async function look(client: Client): Promise<Look> {
  const { rows: [row] } = await client.query<Look>(looked);
  if (row === undefined) throw new Error('Postgres said nothing');
  return row;
}

/** Runs `work`, which migrates, and returns what each migration took. */
export function watchMigrations(ownerUrl: string, work: () => Promise<void>): Promise<MigrationTimes[]> {
  return withConnection(ownerUrl, async (client) => {
    const times: MigrationTimes[] = [];
    let { done } = await look(client);
    let begun = performance.now();
    let last = begun;
    let current = { waited: 0, heldUp: 0, longest: 0 };
    const over = new AbortController();
    const step = async (): Promise<void> => {
      const seen = await look(client);
      const now = performance.now();
      const passed = now - last;
      last = now;
      if (!seen.migrates && times.length === 0) begun = now;
      const heldUp = seen.blocks ? current.heldUp + passed : 0;
      current = { waited: current.waited + (seen.waits ? passed : 0), heldUp, longest: Math.max(current.longest, heldUp) };
      for (const migration of seen.done.slice(done.length)) {
        times.push({ migration, took_ms: Math.round(now - begun), waited_ms: Math.round(current.waited), held_up_ms: Math.round(current.longest) });
        current = { waited: 0, heldUp: 0, longest: 0 };
        begun = now;
      }
      done = seen.done;
    };
    const working = work().finally(() => over.abort());
    const watching = (async () => {
      while (!over.signal.aborted) {
        await step();
        await pause(everyMs);
      }
      await step();
    })();
    await Promise.all([working, watching]);
    return times;
  });
}
