import { apiFixture } from '../../support/apiFixture';
import { asAdmin } from '../../support/developers';

const { api, institution, createStudents } = apiFixture();

const see = (query = {}) => api.platform('GET', `/institutions/${institution.id}/students`, { ...asAdmin(institution), query });
const byKey = (query = {}) => api.call('GET', '/students', { key: institution.apiKey, query });

describe('what the portal shows an institution’s admin', () => {
  // Contract: portal.students.shows-api-created
  it('is the students whom the API created, as the API itself answers them', async () => {
    await createStudents(3);
    for (const query of [{}, { limit: 2, page: 2 }, { status: 'pending' }]) {
      expect((await see(query)).data).toEqual((await byKey(query)).data);
    }
    expect((await see()).data.total).toBe(3);
  });

  it('is the platform’s to see as well, of an institution that exists', async () => {
    expect((await api.platform('GET', `/institutions/${institution.id}/students`)).data).toEqual((await see()).data);
    expect((await api.platform('GET', '/institutions/ins_none/students')).status).toBe(404);
  });
});
