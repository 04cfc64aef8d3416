import { examFixtureForEachTest } from '../../support/examFixture';
import { asAdmin } from '../../support/developers';

const desk = examFixtureForEachTest();

const see = (query = {}) => desk.api.platform('GET', `/institutions/${desk.institution.id}/students`, { ...asAdmin(desk.institution), query });
const byKey = (query = {}) => desk.api.call('GET', '/students', { key: desk.institution.apiKey, query });

describe('what the portal shows an institution’s admin', () => {
  // Contract: portal.students.shows-api-created
  it('is the students whom the API created, as the API itself answers them', async () => {
    await desk.students(3);
    for (const query of [{}, { limit: 2, page: 2 }, { status: 'pending' }]) {
      expect((await see(query)).data).toEqual((await byKey(query)).data);
    }
    expect((await see()).data.total).toBe(3);
  });

  it('is the platform’s to see as well, of an institution that exists', async () => {
    expect((await desk.api.platform('GET', `/institutions/${desk.institution.id}/students`)).data).toEqual((await see()).data);
    expect((await desk.api.platform('GET', '/institutions/ins_none/students')).status).toBe(404);
  });
});
