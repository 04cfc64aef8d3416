import type { Client } from 'pg';
import { databaseUrlForRole, onDatabase } from '../../../local/programs/databaseUrl';
import { withConnection } from '../../../local/programs/postgres';
import { pause } from '../../../local/waitUntil';
import type { Addresses } from './addresses';

/** The same database as the service signs in to it: with a role of its own, which has the owner's password here. */
export const serviceUrlOf = (ownerUrl: string): string => databaseUrlForRole(ownerUrl, 'institution_service', new URL(ownerUrl).password);

/** A fresh copy of the migrated template under that name, in place of an earlier one. Returns its owner's URL. */
export async function cloneDatabase({ adminDatabaseUrl, templateDatabase }: Addresses, name: string): Promise<string> {
  await withConnection(adminDatabaseUrl, async (client) => {
    const quoted = client.escapeIdentifier(name);
    await client.query(`DROP DATABASE IF EXISTS ${quoted} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${quoted} TEMPLATE ${client.escapeIdentifier(templateDatabase)} STRATEGY FILE_COPY`);
  });
  return onDatabase(adminDatabaseUrl, name);
}

/** Resolves when nobody is connected any more, or after 5 s: a connection that is ended by force while it closes fails the test that runs by then. */
async function sessionsEnded(client: Client, name: string): Promise<void> {
  const deadline = Date.now() + 5_000;
  while (Date.now() < deadline) {
    const { rowCount } = await client.query('SELECT 1 FROM pg_stat_activity WHERE datname = $1 LIMIT 1', [name]);
    if (rowCount === 0) return;
    await pause(20);
  }
}

/** A new database without any table under that name, in place of an earlier one. */
export async function emptyDatabase({ adminDatabaseUrl }: Addresses, name: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const drop = async (client: Client): Promise<void> => {
    await sessionsEnded(client, name);
    await client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(name)} WITH (FORCE)`);
  };
  await withConnection(adminDatabaseUrl, async (client) => {
    await drop(client);
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)} TEMPLATE template0 STRATEGY FILE_COPY`);
  });
  return { url: onDatabase(adminDatabaseUrl, name), drop: () => withConnection(adminDatabaseUrl, drop) };
}
