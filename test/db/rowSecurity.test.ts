import { institutionScope, openDatabase, type Database } from '../../db/database';
import { inTransaction } from '../../db/transaction';
import { stack, type TestStack } from '../support/stack';

let own: TestStack;
let database: Database;
const one = 'ins_one';
const other = 'ins_other';

beforeAll(async () => {
  own = await stack();
  database = await openDatabase(own.settings().databaseUrl, 4, () => undefined);
  for (const id of [one, other]) {
    await database.sql("INSERT INTO institutions (id, name, status, login_domain, time_zone, config, created_at, updated_at) VALUES ($1, $1, 'approved', $1, 'UTC', '{}', now(), now())", [id]);
  }
});

afterAll(async () => {
  await database.close();
  await own.stop();
});

it('works', async () => {
  expect(database.tenantRole).toBe('institution_service_tenant');
  expect(await database.sql('SELECT id FROM institutions ORDER BY 1')).toEqual([{ id: one }, { id: other }]);
  expect(await institutionScope(database, one).sql('SELECT id, current_user::text AS u FROM institutions ORDER BY 1')).toEqual([{ id: one, u: 'institution_service_tenant' }]);
  expect((await inTransaction(database, other, ({ sql }) => sql('SELECT id FROM institutions ORDER BY 1'))).result).toEqual([{ id: other }]);
  await expect(institutionScope(database, one).sql('SELECT 1/0')).rejects.toThrow('zero');
  expect(await database.sql('SELECT id FROM institutions ORDER BY 1')).toEqual([{ id: one }, { id: other }]);
});
