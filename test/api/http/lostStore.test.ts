import { withConnection } from '../../../local/programs/postgres';
import type { ApiResponse } from '../../support/api';
import { apiFixture } from '../../support/apiFixture';
import { stack } from '../../support/stack';
import { startTestWorker, waitUntilPolling } from '../../support/worker';

const { api, institution, call, listAt } = apiFixture();

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

it('a transaction that waits too long for a lock right before its COMMIT is rolled back: 429, as nothing was done', async () => {
  const { status, body } = await withConnection((await stack()).ownerDatabaseUrl, async (client) => {
    // Events get their times from this row, in the message of the COMMIT.
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM event_clocks WHERE institution_id = $1 FOR UPDATE', [institution.id]);
    const answer = await create('Mary');
    await client.query('ROLLBACK');
    return answer;
  });
  expect([status, body.error]).toEqual([429, 'rate_limited']);
  expect(await namesOf()).toEqual([]);
});

it('a call that finds no slot after its COMMIT has been done: 500, and nobody is asked to send it again', async () => {
  const worker = await startTestWorker(api.settings);
  await waitUntilPolling(worker);
  const full = new AbortController();
  const { readSemaphore } = api.api.domain.database;
  const slots = Math.max(2, Math.floor(api.settings.databasePoolSize / 4));
  await Promise.all(Array.from({ length: slots }, () => readSemaphore.acquireUntil(institution.id, full.signal)));
  const { status, body, headers } = await call('POST', '/students/bulk', { students: [{ full_name: 'Mary' }] });
  full.abort();
  await worker.stop();
  expect([status, body.error, headers.get('retry-after')]).toEqual([500, 'internal_error', null]);
  expect(await namesOf()).toEqual(['Mary']);
});
