import { platformOperations } from '../../../api/operations/platform';
import { publicOperations } from '../../../api/operations/public';
import { apiFixture } from '../../support/apiFixture';

const { api, institution } = apiFixture({ institutionPer: 'file' });

// Contract: keys.rotation.new-then-revoke
it('a key is switched: the new one and the old one both work until the old one is revoked', async () => {
  const asAdmin = { headers: { 'x-actor': institution.adminId } };
  const create = async () => (await api.platform('POST', `/institutions/${institution.id}/keys`, { ...asAdmin, body: { name: 'sync', scopes: ['students:read'] } })).data;
  const [old, fresh] = [await create(), await create()];
  const statuses = () => Promise.all([old, fresh].map(async ({ api_key: key }) => (await api.call('GET', '/students', { key })).status));
  expect([old.api_key === fresh.api_key, await statuses()]).toEqual([false, [200, 200]]);
  await api.platform('DELETE', `/keys/${old.key_id}`, asAdmin);
  expect(await statuses()).toEqual([401, 200]);
});

// Contract: keys.rotation.new-then-revoke
it('no operation rotates a key in place', () => {
  const onKeys = [...publicOperations, ...platformOperations].filter(({ path }) => /(^|\/)keys(\/|$)/.test(path)).map(({ method }) => method);
  expect(onKeys.length).toBeGreaterThan(2);
  expect(onKeys.filter((method) => !['GET', 'POST', 'DELETE'].includes(method))).toEqual([]);
  expect([...publicOperations, ...platformOperations].filter(({ path }) => /keys?\/.*rotate/.test(path))).toEqual([]);
});
