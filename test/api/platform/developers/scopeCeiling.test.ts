import { activeDeveloper, asAdmin } from '../../../support/developers';
import { apiFixture } from '../../../support/apiFixture';
import { errorSummary } from '../../../support/responses';

const { api, institution } = apiFixture();

const limit = (id: string, scope_ceiling: string[] | null, sent: object = asAdmin(institution)) => api.platform('PATCH', `/developers/${id}`, { ...sent, body: { scope_ceiling } });
const asDeveloper = (id: string) => ({ headers: { 'x-actor': id } });

async function keyOf(id: string, scopes: string[], environment = 'live'): Promise<string> {
  const created = await api.platform('POST', `/institutions/${institution.id}/keys`, { ...asDeveloper(id), body: { name: 'Sync', scopes, environment } });
  return created.data.api_key;
}

it('the keys of a developer, older ones and test keys too, act within their ceiling from the next request on; null lifts it', async () => {
  const { id } = await activeDeveloper(api, institution);
  const [older, test] = [await keyOf(id, ['students:write', 'faculty:read']), await keyOf(id, ['students:write'], 'test')];
  expect((await limit(id, ['students:read'])).data.scope_ceiling).toEqual(['students:read']);
  const newer = await keyOf(id, ['students:write']);
  for (const key of [older, newer, test]) {
    expect((await api.call('GET', '/students', { key })).status).toBe(200);
    const { status, body } = await api.call('POST', '/students', { key, body: {} });
    expect([status, body]).toEqual([403, {
      success: false, error: 'insufficient_scope', required: ['students:write'], missing: ['students:write'],
      message: 'This key lacks the scope students:write. Keys of the developer who created it may use at most: students:read. GET /v1/me shows the scopes of this one.',
    }]);
    expect((await api.call('GET', '/me', { key })).data.scopes).toEqual(['students:read']);
  }
  expect((await api.call('GET', '/faculty', { key: older })).status).toBe(403);
  await limit(id, null);
  for (const key of [older, newer, test]) expect((await api.call('POST', '/students', { key, body: {} })).status).toBe(200);
});

it('a developer manages webhooks in the portal within the ceiling alone', async () => {
  const { id } = await activeDeveloper(api, institution);
  const path = `/institutions/${institution.id}/webhook-endpoints`;
  const calls = () => Promise.all([
    api.platform('GET', path, asDeveloper(id)),
    api.platform('POST', path, { ...asDeveloper(id), body: { url: 'https://example.com/hook', events: ['student.updated'] } }),
  ]);
  const statuses = async () => (await calls()).map(({ status }) => status);
  expect(await statuses()).toEqual([200, 200]);
  await limit(id, ['students:read', 'webhooks:read']);
  expect(await statuses()).toEqual([200, 403]);
  await limit(id, []);
  const [list] = await calls();
  expect([list.status, list.body.message]).toEqual([403, "Your scope_ceiling does not have webhooks:read; the institution's admin sets it."]);
  expect((await api.platform('GET', path, asAdmin(institution))).status).toBe(200);
  await limit(id, null);
  expect(await statuses()).toEqual([200, 200]);
});

it('keys of others have no ceiling by it', async () => {
  const { id } = await activeDeveloper(api, institution);
  await limit(id, []);
  expect((await api.call('GET', '/students', { key: institution.apiKey })).status).toBe(200);
});

it('an empty ceiling allows no scope, and what needs none stays', async () => {
  const { id } = await activeDeveloper(api, institution);
  const key = await keyOf(id, ['students:write']);
  await limit(id, []);
  expect((await api.call('GET', '/students', { key })).body.message).toContain('at most: no scope.');
  expect((await api.call('GET', '/me', { key })).data.scopes).toEqual([]);
});

it('the admin and the platform set it, a developer does not; unknown scopes are invalid_scopes', async () => {
  const { id } = await activeDeveloper(api, institution);
  expect(errorSummary(await limit(id, null, asDeveloper(id)))).toEqual([403, 'forbidden']);
  expect((await limit(id, ['students:read'], {})).status).toBe(200);
  expect(errorSummary(await limit(id, ['students:delete']))).toEqual([422, 'invalid_scopes', ['scope_ceiling.0']]);
  const otherInstitution = await api.institution();
  expect(errorSummary(await limit(id, null, asAdmin(otherInstitution)))).toEqual([404, 'not_found']);
});
