import { randomUUID } from 'node:crypto';
import { migrations } from '../../db/migrations';
import { withConnection } from '../../local/programs/postgres';
import { migrateUpTo } from '../support/migrations';
import { createEmptyDatabase } from '../support/stack';

it('who may write deliveries may write open ones as soon as there is their table: failures are recorded there before the last migration', async () => {
  const { url, drop } = await createEmptyDatabase();
  const number = migrations.findIndex(({ name }) => name.startsWith('OpenDeliveries')) + 1;
  const role = `beside_${randomUUID().slice(0, 8)}`;
  await migrateUpTo(url, number - 1);
  await withConnection(url, async (client) => {
    await client.query(`CREATE ROLE ${role}; GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_deliveries TO ${role}`);
    await migrateUpTo(url, number);
    const { rows } = await client.query("SELECT bool_and(has_table_privilege($1, 'open_deliveries', p)) AS may FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) p", [role]);
    expect(rows).toEqual([{ may: true }]);
    await client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });
  await drop();
});
