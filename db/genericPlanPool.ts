import { Pool } from 'pg';
import { sessionTimeouts } from './database';
import { bindPreparedSql, type Sql } from './statement';

/** A pool for frequent statements over tables that may grow from empty to millions of rows within minutes. */
export interface GenericPlanPool {
  readonly sql: Sql;
  close(): Promise<void>;
}

/*
 * Planning such a statement costs as much as running it. A cached plan that Postgres made while the tables were small reads
 * them whole once they are large. These connections cache plans that use indexes at any table size, which is right for groups
 * of rows that are found by their keys.
 */
const genericPlanOptions = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off';

// A lock held for longer delays only its own deliveries; the others of the group must not wait.
const shortLockTimeout = '-c lock_timeout=500';

/** Opens a pool of `size` connections, which connect on first use. */
export function openGenericPlanPool(url: string, size: number, onConnectionLost: (error: Error) => void): GenericPlanPool {
  const pool = new Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    options: `${sessionTimeouts} ${shortLockTimeout} ${genericPlanOptions}`,
  });
  pool.on('error', onConnectionLost);
  return { sql: bindPreparedSql(pool), close: () => pool.end() };
}
