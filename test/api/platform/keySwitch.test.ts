import { platformOperations } from '../../../api/operations/platform';
import { resources } from '../../../api/operations/public';
import { apiOfAllTests, institutionOfAllTests } from '../../support/sharedApi';

const api = apiOfAllTests();
const north = institutionOfAllTests(api);

// Contract: 410e
it('a key is switched: the new one and the old one work beside each other until the old one is revoked', async () => {
  const asAdmin = { headers: { 'x-actor': north.adminId } };
  const create = async () => (await api.platform('POST', `/institutions/${north.id}/keys`, { ...asAdmin, body: { name: 'sync', scopes: ['students:read'] } })).data;
  const [old, fresh] = [await create(), await create()];
  const statuses = () => Promise.all([old, fresh].map(async ({ api_key: key }) => (await api.call('GET', '/students', { key })).status));
  expect([old.api_key === fresh.api_key, await statuses()]).toEqual([false, [200, 200]]);
  await api.platform('DELETE', `/keys/${old.key_id}`, asAdmin);
  expect(await statuses()).toEqual([401, 200]);
});

// Contract: 410e
it('no operation rotates a key in place', () => {
  const onKeys = [...resources, ...platformOperations].filter(({ path }) => /(^|\/)keys(\/|$)/.test(path)).map(({ method }) => method);
  expect(onKeys.length).toBeGreaterThan(2);
  expect(onKeys.filter((method) => !['GET', 'POST', 'DELETE'].includes(method))).toEqual([]);
  expect([...resources, ...platformOperations].filter(({ path }) => /keys?\/.*rotate/.test(path))).toEqual([]);
});
