import { Pool } from 'pg';
import { keepAliveOptions } from './responseTimeout';
import { bindSql, type Sql } from './statement';

/** A separate connection for read-only queries with a short timeout. */
export interface ReadOnlyConnection {
  sql: Sql;
  close(): Promise<void>;
}

/** How much longer than the server's own timeout the client waits, in ms, in case the server does not respond at all. */
const clientGraceMs = 500;

/** Connects on the first statement, and again after a failure; `arrivalTimeoutMs` limits each statement and connecting. */
export function openReadOnlyConnection(databaseUrl: string, withinMs: number): ReadOnlyConnection {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: 1,
    connectionTimeoutMillis: withinMs,
    query_timeout: withinMs + clientGraceMs,
    idleTimeoutMillis: 60_000,
    ...keepAliveOptions,
    options: `-c statement_timeout=${withinMs} -c default_transaction_read_only=on`,
  });
  // An idle connection that breaks is replaced on the next statement.
  pool.on('error', () => undefined);
  return { sql: bindSql(pool), close: () => pool.end() };
}
