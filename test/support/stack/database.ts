import { withConnection } from '../../../local/programs/postgres';
import type { Addresses } from './addresses';

/** A fresh copy of the migrated template under that name, in place of an earlier one. Answers its URL. */
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
