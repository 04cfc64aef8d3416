import type { Sql } from '../../statement';

/** How much of Postgres is used. */
export interface DatabaseUse {
  /** On disk, tables and indexes. */
  bytes: number;
  /** Open connections, of everybody. */
  connections: number;
  /** Connections that roles which are no superusers may open. */
  maxConnections: number;
  /** Transactions since the oldest id that is not frozen. */
  transactionIdAge: number;
  /** Bytes of WAL ever written. */
  walBytes: number;
  /** How long Postgres took to answer a statement that reads nothing, in seconds. */
  responseSeconds: number;
}

const databaseUse = `SELECT pg_database_size(current_database())::float8 AS bytes,
         (SELECT sum(numbackends)::int FROM pg_stat_database) AS connections,
         current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int - current_setting('reserved_connections')::int AS "maxConnections",
         (SELECT age(datfrozenxid)::float8 FROM pg_database WHERE datname = current_database()) AS "transactionIdAge",
         (pg_current_wal_insert_lsn() - '0/0')::float8 AS "walBytes"`;

/** Returns how much of Postgres is used; any role may ask, of the primary. */
export async function readDatabaseUse(sql: Sql): Promise<DatabaseUse> {
  const asked = performance.now();
  await sql('SELECT 1');
  const responseSeconds = (performance.now() - asked) / 1_000;
  const [row] = await sql<Omit<DatabaseUse, 'responseSeconds'>>(databaseUse, []);
  if (row === undefined) throw new Error('A statement without FROM answered no row');
  return { ...row, responseSeconds };
}
