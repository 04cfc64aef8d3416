import type { FacultyStatus } from '../../../db/repositories/faculty/faculty';
import { facultyTransitions } from '../../../domain/faculty/transitions';
import { apiFixture } from '../../support/apiFixture';

const { api, institution } = apiFixture({ institutionPer: 'file' });

const statuses: FacultyStatus[] = ['active', 'suspended'];
const patch = (id: string, status: string) => api.call('PATCH', `/faculty/${id}`, { key: institution.apiKey, body: { status } });

/** A faculty member brought to a status as the table of the database lets them be. */
async function memberWho(status: FacultyStatus): Promise<string> {
  const { data } = await api.call('POST', '/faculty', { key: institution.apiKey, body: { full_name: 'Grace' } });
  await api.api.domain.database.sql('UPDATE users SET status = $2 WHERE id = $1', [data.id, status]);
  return data.id;
}

async function endedSessions(userId: string): Promise<boolean> {
  const [session] = await api.api.domain.database.sql<{ ended: boolean }>('SELECT ended_at IS NOT NULL AS ended FROM sessions WHERE user_id = $1', [userId]);
  return session?.ended === true;
}

const openSession = (userId: string) =>
  api.api.domain.database.sql(
    `INSERT INTO sessions (id, institution_id, user_id, kind, token_hash, created_at, expires_at)
     VALUES ('sess_' || $2, $1, $2, 'faculty', sha256(convert_to($2, 'UTF8')), now(), now() + interval '1 hour')`,
    [institution.id, userId],
  );

const pairs = statuses.flatMap((from) => statuses.map((to) => ({ from, to })));

// Contract: faculty.status.writable-values, faculty.states.set-by-patch, faculty.update.body
it.each(pairs)('PATCH brings a faculty member from $from to $to, and ends sessions on the way into suspension alone', async ({ from, to }) => {
  const id = await memberWho(from);
  await openSession(id);
  const { status, data } = await patch(id, to);
  expect([status, data.status]).toEqual([200, to]);
  expect((await api.call('GET', `/faculty/${id}`, { key: institution.apiKey })).data.status).toBe(to);
  expect(await endedSessions(id)).toBe(from === 'active' && to === 'suspended');
});

it.each(statuses)('PATCH brings no faculty member who is %s to a status that is not in the table', async (from) => {
  const id = await memberWho(from);
  for (const to of ['pending', 'closed', '']) expect((await patch(id, to)).status).toBe(422);
  expect((await api.call('GET', `/faculty/${id}`, { key: institution.apiKey })).data.status).toBe(from);
});

it('has in its table every change that PATCH can bring about, and no other', () => {
  const changes = pairs.filter(({ from, to }) => from !== to).map(({ from, to }) => `${from} to ${to}`);
  const table = statuses.flatMap((from) => facultyTransitions[from].map((to) => `${from} to ${to}`));
  expect([Object.keys(facultyTransitions).sort(), table.sort()]).toEqual([[...statuses].sort(), changes.sort()]);
});
