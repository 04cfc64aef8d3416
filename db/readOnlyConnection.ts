import { Pool } from 'pg';
import { sqlOn, type Sql } from './statement';

/** A connection apart from the others, for questions that are answered soon or not at all. */
export interface Probe {
  sql: Sql;
  close(): Promise<void>;
}

/** How long the client waits longer than the server may work, in ms: for a server that says nothing at all. */
const silenceMs = 500;

/** Connects with the first question, and anew after a failure; each statement has `withinMs`, and so has the connecting. */
export function openProbe(databaseUrl: string, withinMs: number): Probe {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: 1,
    connectionTimeoutMillis: withinMs,
    query_timeout: withinMs + silenceMs,
    idleTimeoutMillis: 60_000,
    options: `-c statement_timeout=${withinMs} -c default_transaction_read_only=on`,
  });
  // A connection that breaks while nobody asks: the next question makes another.
  pool.on('error', () => undefined);
  return { sql: sqlOn(pool), close: () => pool.end() };
}
