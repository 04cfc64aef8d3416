import { apiFixture } from '../../support/apiFixture';
import { asAdmin } from '../../support/developers';

const { api, institution, call, createStudents } = apiFixture();

const see = (what: string, query = {}) => api.platform('GET', `/institutions/${institution.id}/${what}`, { ...asAdmin(institution), query });
const byKey = (path: string, query = {}) => api.call('GET', path, { key: institution.apiKey, query });

describe('what the portal shows an institution’s admin', () => {
  // Contract: portal.admin.sees-licenses-batches-settings
  it('is the licenses as the public API lists them, with its filters and pages', async () => {
    await createStudents(3);
    for (const query of [{}, { status: 'active' }, { status: 'revoked' }, { limit: 2, page: 2 }]) {
      expect((await see('licenses', query)).data).toEqual((await byKey('/licenses', query)).data);
    }
    expect((await see('licenses')).data.total).toBe(4);
  });

  // Contract: portal.admin.sees-licenses-batches-settings
  it('is the coupon batches of the public API', async () => {
    await call('POST', '/coupons/batches', { name: 'Prizes', total_coupons: 2, value_cents: 100, expiry_date: new Date(Date.now() + 300 * 86_400_000).toISOString() });
    expect((await see('coupon-batches')).data.items[0]).toMatchObject({ name: 'Prizes', status: 'pending' });
  });

  // Contract: portal.admin.sees-licenses-batches-settings
  it('is the settings: the profile, and the config as it was last replaced', async () => {
    const { data: config } = await call('PUT', '/institution/config', { allowed_toolchains: ['python'], lms: { provider: 'moodle' } });
    const { data } = await see('settings');
    expect(data.config).toEqual(config);
    expect(data.profile).toEqual((await api.platform('GET', `/institutions/${institution.id}`)).data);
    expect(data.profile).toMatchObject({ id: institution.id, name: 'North School', status: 'approved', admin: { id: institution.adminId } });
  });

  it('is the platform’s to see as well, of an institution that exists', async () => {
    for (const what of ['licenses', 'settings']) {
      expect((await api.platform('GET', `/institutions/${institution.id}/${what}`)).data).toEqual((await see(what)).data);
      expect((await api.platform('GET', `/institutions/ins_none/${what}`)).status).toBe(404);
    }
  });
});
