import { migrate } from '../../db/migrate';
import { migrations } from '../../db/migrations';
import { tenantRoleOf } from '../../db/rowSecurity';
import { senderRole } from '../../db/sessionSettings';
import { withConnection } from '../../local/programs/postgres';
import { eventually } from '../support/eventually';
import { migrateUpTo } from '../support/migrations';
import { createEmptyDatabase } from '../support/stack';

const before = (name: string): number => migrations.findIndex((migration) => migration.name.startsWith(name));

it('the service may use a new table as soon as its migration is done, while a later one waits', async () => {
  const { url, drop } = await createEmptyDatabase();
  await migrateUpTo(url, before('EndpointStatistics'));
  const role = `upgrade_${new URL(url).pathname.slice(1)}`;
  const service = new URL(url);
  [service.username, service.password] = [role, 'secret'];
  await withConnection(url, async (client) => {
    await client.query(`CREATE ROLE "${role}"`);
    await withConnection(url, async (reader) => {
      // A later migration adds a column to this table, and waits for its readers.
      await reader.query('BEGIN; SELECT 1 FROM users');
      const migrating = migrate(url, service.href);
      await eventually('privileges on the table to which a trigger writes', async () => {
        const { rows: [row] } = await client.query<{ may: boolean | null }>("SELECT has_table_privilege($1, to_regclass('endpoint_statistics'), 'INSERT') AS may", [role]);
        return row?.may;
      });
      expect((await client.query("SELECT 1 FROM migrations WHERE name LIKE 'Erasures%'")).rows).toEqual([]);
      await reader.query('COMMIT');
      await migrating;
    });
    const { rows } = await client.query<{ name: string; may: boolean }>(
      "SELECT name, has_table_privilege($1, name, 'UPDATE') AS may FROM unnest(ARRAY['audit_log', 'disclosures', 'endpoint_statistics', 'migrations']) AS name ORDER BY name", [role],
    );
    expect(rows).toEqual([{ name: 'audit_log', may: false }, { name: 'disclosures', may: false }, { name: 'endpoint_statistics', may: true }, { name: 'migrations', may: false }]);
    for (const name of [role, senderRole(role), tenantRoleOf(role)]) await client.query(`DROP OWNED BY "${name}"; DROP ROLE "${name}"`);
  });
  await drop();
});
