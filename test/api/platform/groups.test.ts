import { apiFixture } from '../../support/apiFixture';
import { asAdmin } from '../../support/developers';

const { api, institution, createStudents } = apiFixture();

const see = (query = {}) => api.platform('GET', `/institutions/${institution.id}/groups`, { ...asAdmin(institution), query });
const byKey = (query = {}) => api.call('GET', '/groups', { key: institution.apiKey, query });

describe('what the portal shows an institution’s admin', () => {
  // Contract: portal.groups.returned-by-api
  it('is groups, and one made in the portal is returned by GET /groups', async () => {
    const [student] = await createStudents(1);
    const made = await api.platform('POST', `/institutions/${institution.id}/groups`, { ...asAdmin(institution), body: { name: 'Class 7', student_ids: [student] } });
    expect(made).toMatchObject({ status: 200, data: { name: 'Class 7', member_count: 1, faculty_id: institution.adminId } });
    const { skipped, ...group } = made.data;
    expect([skipped, (await byKey()).data.items]).toEqual([[], [group]]);
    expect((await see()).data).toEqual((await byKey()).data);
  });

  it('is the platform’s to see as well, of an institution that exists', async () => {
    expect((await api.platform('GET', `/institutions/${institution.id}/groups`)).data).toEqual((await see()).data);
    expect((await api.platform('GET', '/institutions/ins_none/groups')).status).toBe(404);
  });
});
