import { Pool } from 'pg';
import { bindSql, type Sql } from './statement';

/** A connection apart from the others, for questions that are answered soon or not at all. */
export interface ReadOnlyConnection {
  sql: Sql;
  close(): Promise<void>;
}

/** How long the client waits longer than the server may work, in ms: for a server that says nothing at all. */
const clientGraceMs = 500;

/** Connects with the first statement, and again after a failure; each statement has `arrivalTimeoutMs`, and so has connecting. */
export function openReadOnlyConnection(databaseUrl: string, withinMs: number): ReadOnlyConnection {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: 1,
    connectionTimeoutMillis: withinMs,
    query_timeout: withinMs + clientGraceMs,
    idleTimeoutMillis: 60_000,
    options: `-c statement_timeout=${withinMs} -c default_transaction_read_only=on`,
  });
  // A connection that breaks while nobody asks: the next question makes another.
  pool.on('error', () => undefined);
  return { sql: bindSql(pool), close: () => pool.end() };
}
