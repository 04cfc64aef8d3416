import type { Client } from 'pg';
import { urlOfRole } from '../../../local/programs/databaseUrl';
import { withConnection } from '../../../local/programs/postgres';
import type { Addresses } from './addresses';

/** The same database as the service signs in to it: with a role of its own, which has the owner's password here. */
export const serviceUrlOf = (ownerUrl: string): string => urlOfRole(ownerUrl, 'institution_service', new URL(ownerUrl).password);

/** A fresh copy of the migrated template under that name, in place of an earlier one. Answers its owner's URL. */
export async function cloneDatabase({ adminDatabaseUrl, templateDatabase }: Addresses, name: string): Promise<string> {
  await withConnection(adminDatabaseUrl, async (client) => {
    const quoted = client.escapeIdentifier(name);
    await client.query(`DROP DATABASE IF EXISTS ${quoted} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${quoted} TEMPLATE ${client.escapeIdentifier(templateDatabase)} STRATEGY FILE_COPY`);
  });
  const url = new URL(adminDatabaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** A new database without any table under that name, in place of an earlier one. */
export async function emptyDatabase({ adminDatabaseUrl }: Addresses, name: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const drop = async (client: Client): Promise<void> => {
    await client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(name)} WITH (FORCE)`);
  };
  await withConnection(adminDatabaseUrl, async (client) => {
    await drop(client);
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)} TEMPLATE template0 STRATEGY FILE_COPY`);
  });
  const url = new URL(adminDatabaseUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => withConnection(adminDatabaseUrl, drop) };
}
