import { apiFixture } from '../../../support/apiFixture';
import { eventually } from '../../../support/eventually';
import { withLockedRows } from '../../../support/lockedRows';

const { api, institution } = apiFixture();

/** Connections that statements of these institutions hold while they wait for the locked table. */
const waiting = async (): Promise<number> => {
  const { rows } = await api.api.domain.database.pool.query<{ waiting: number }>(
    "SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FROM groups%'",
  );
  return rows[0]?.waiting ?? 0;
};

const list = (key: string) => api.call('GET', '/groups', { key });

it('the reads of one institution hold at most a quarter of the connections; other institutions read, and every caller is authenticated', async () => {
  const other = await api.institution();
  await withLockedRows(api, 'LOCK TABLE groups IN ACCESS EXCLUSIVE MODE', [], async ({ release }) => {
    const blocked = Promise.all(Array.from({ length: 12 }, () => list(institution.apiKey)));
    await eventually('reads wait for the table', async () => (await waiting()) === 2);
    expect((await api.call('GET', '/me', { key: other.apiKey })).status).toBe(200);
    expect((await api.call('GET', '/students', { key: other.apiKey })).status).toBe(200);
    expect((await api.call('GET', '/me', { key: 'svc_live_nobody' })).status).toBe(401);
    // Of the institution itself, too: its key is found and its scope checked without a read of its own.
    expect((await api.call('GET', '/unknown', { key: institution.apiKey })).status).toBe(404);
    expect((await api.call('POST', '/students', { key: institution.apiKey, body: { full_name: 'Ada Lovelace' } })).status).toBe(200);
    expect(await waiting()).toBe(2);
    await release();
    await blocked;
  });
});

it('the reads of all institutions together leave connections for callers who are yet to be authenticated', async () => {
  const others = [institution, ...(await Promise.all(Array.from({ length: 5 }, () => api.institution())))];
  await withLockedRows(api, 'LOCK TABLE groups IN ACCESS EXCLUSIVE MODE', [], async ({ release }) => {
    const blocked = Promise.all(others.flatMap(({ apiKey }) => [list(apiKey), list(apiKey), list(apiKey)]));
    await eventually('reads wait for the table', async () => (await waiting()) === 8);
    expect((await api.call('GET', '/me', { key: 'svc_live_nobody' })).status).toBe(401);
    await release();
    await blocked;
  });
});
