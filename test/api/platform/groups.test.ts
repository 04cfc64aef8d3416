import { examFixtureForEachTest } from '../../support/examFixture';
import { asAdmin } from '../../support/developers';

const desk = examFixtureForEachTest();

const see = (query = {}) => desk.api.platform('GET', `/institutions/${desk.institution.id}/groups`, { ...asAdmin(desk.institution), query });
const byKey = (query = {}) => desk.api.call('GET', '/groups', { key: desk.institution.apiKey, query });

describe('what the portal shows an institution’s admin', () => {
  // Contract: portal.groups.returned-by-api
  it('is groups, and one made in the portal is returned by GET /groups', async () => {
    const [student] = await desk.students(1);
    const made = await desk.api.platform('POST', `/institutions/${desk.institution.id}/groups`, { ...asAdmin(desk.institution), body: { name: 'Class 7', student_ids: [student] } });
    expect(made).toMatchObject({ status: 200, data: { name: 'Class 7', member_count: 1, faculty_id: desk.institution.adminId } });
    const { skipped, ...group } = made.data;
    expect([skipped, (await byKey()).data.items]).toEqual([[], [group]]);
    expect((await see()).data).toEqual((await byKey()).data);
  });

  it('is the platform’s to see as well, of an institution that exists', async () => {
    expect((await desk.api.platform('GET', `/institutions/${desk.institution.id}/groups`)).data).toEqual((await see()).data);
    expect((await desk.api.platform('GET', '/institutions/ins_none/groups')).status).toBe(404);
  });
});
