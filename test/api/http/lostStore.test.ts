import { withConnection } from '../../../local/programs/postgres';
import type { ApiResponse } from '../../support/api';
import { apiFixture } from '../../support/apiFixture';
import { stack } from '../../support/stack';

const { call, listAt } = apiFixture();

/** Has Postgres end the connection of a call that creates a student of this name: at once, or in the COMMIT. */
async function endConnectionsOf(name: string, when: 'at once' | 'in the commit'): Promise<void> {
  const timing = when === 'at once' ? 'TRIGGER end_connection AFTER INSERT ON users' : 'CONSTRAINT TRIGGER end_connection AFTER INSERT ON users DEFERRABLE INITIALLY DEFERRED';
  await withConnection((await stack()).ownerDatabaseUrl, async (client) => {
    await client.query(`CREATE OR REPLACE FUNCTION end_connection() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$`);
    await client.query('DROP TRIGGER IF EXISTS end_connection ON users');
    await client.query(`CREATE ${timing} FOR EACH ROW WHEN (NEW.full_name = ${client.escapeLiteral(name)}) EXECUTE FUNCTION end_connection()`);
  });
}

const create = (full_name: string): Promise<ApiResponse> => call('POST', '/students', { full_name });
const namesOf = async (): Promise<string[]> => (await listAt('/students')).data.items.map((student: { full_name: string }) => student.full_name);

it('a call that loses its connection before the COMMIT has done nothing: 503, and when to come back', async () => {
  await endConnectionsOf('Ada', 'at once');
  const { status, body, headers } = await create('Ada');
  expect([status, body.error, headers.get('retry-after')]).toEqual([503, 'rate_limiter_unavailable', '5']);
  expect(await namesOf()).toEqual([]);
  expect((await create('Grace')).status).toBe(200);
});

it('a call that loses its connection in the COMMIT may have been done: 500, and nobody is asked to send it again', async () => {
  await endConnectionsOf('Ada', 'in the commit');
  const { status, body, headers } = await create('Ada');
  expect([status, body.error, headers.get('retry-after')]).toEqual([500, 'internal_error', null]);
  expect((await create('Grace')).status).toBe(200);
});
