import { Pool } from 'pg';
import { keepAliveOptions, requireResponses } from './responseTimeout';
import { senderSettings, senderUrl, startupOptions, type SettingsSource } from './sessionSettings';
import { bindPreparedSql, type Sql } from './statement';

/** A pool for frequent statements over tables that may grow from empty to millions of rows within minutes. */
export interface GenericPlanPool {
  readonly sql: Sql;
  close(): Promise<void>;
}

/** Opens a pool of `size` connections with the sender's settings, which connect on first use. */
export function openGenericPlanPool(url: string, size: number, onConnectionLost: (error: Error) => void, source: SettingsSource = 'connection'): GenericPlanPool {
  const pool = new Pool({
    ...(source === 'role' ? { connectionString: senderUrl(url) } : { connectionString: url, options: startupOptions(senderSettings) }),
    max: size,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    ...keepAliveOptions,
  });
  pool.on('connect', requireResponses);
  pool.on('error', onConnectionLost);
  return { sql: bindPreparedSql(pool), close: () => pool.end() };
}
