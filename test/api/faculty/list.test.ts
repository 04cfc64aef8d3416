import { refusal } from '../../support/answers';
import { startTestApi, type TestApi, type TestInstitution } from '../../support/api';

let api: TestApi;
let north: TestInstitution;

beforeAll(async () => {
  api = await startTestApi();
});

beforeEach(async () => {
  north = await api.institution();
});

afterAll(() => api.stop());

const create = async (full_name = 'Grace', institution = north): Promise<{ id: string; login_email: string }> =>
  (await api.call('POST', '/faculty', { key: institution.apiKey, body: { full_name } })).data;
const list = (query: Record<string, string | number> = {}) => api.call('GET', '/faculty', { key: north.apiKey, query });
const listed = async (query: Record<string, string | number>): Promise<string[]> => (await list(query)).data.items.map(({ id }: { id: string }) => id);

describe('the list of faculty', () => {
  it('has the newest first, and the institution admin among them', async () => {
    const [one, two] = [await create(), await create()];
    await api.call('POST', '/students', { key: north.apiKey, body: {} });
    const { data } = await list();
    expect(data.items.map(({ id, is_admin }: { id: string; is_admin: boolean }) => [id, is_admin])).toEqual([
      [two.id, false], [one.id, false], [north.adminId, true],
    ]);
    expect(data).toMatchObject({ page: 1, limit: 50, total: 3, has_more: false });
  });

  it('is paged', async () => {
    const ids = [north.adminId];
    for (const name of ['a', 'b', 'c', 'd']) ids.push((await create(name)).id);
    const pages = [await list({ limit: 2 }), await list({ limit: 2, page: 2 }), await list({ limit: 2, page: 3 })];
    expect(pages.map(({ data }) => [data.items.length, data.total, data.has_more])).toEqual([[2, 5, true], [2, 5, true], [1, 5, false]]);
    expect(pages.flatMap(({ data }) => data.items.map(({ id }: { id: string }) => id))).toEqual(ids.reverse());
  });

  it('filters by login email in any case, and by no other address', async () => {
    const { id, login_email } = await create();
    for (const email of [login_email, login_email.toUpperCase()]) expect(await listed({ email })).toEqual([id]);
    const { data: student } = await api.call('POST', '/students', { key: north.apiKey, body: {} });
    for (const email of [student.login_email, `admin@${north.loginDomain}`, `nobody@${north.loginDomain}`]) expect(await listed({ email })).toEqual([]);
  });

  it('filters by status, and by both at once', async () => {
    const [active, suspended] = [await create(), await create()];
    await api.call('PATCH', `/faculty/${suspended.id}`, { key: north.apiKey, body: { status: 'suspended' } });
    expect([await listed({ status: 'active' }), await listed({ status: 'suspended' })]).toEqual([[active.id, north.adminId], [suspended.id]]);
    expect(await listed({ status: 'active', email: suspended.login_email })).toEqual([]);
  });

  it("never shows another institution's", async () => {
    const foreign = await create('Grace', await api.institution());
    for (const query of [{}, { email: foreign.login_email }, { status: 'active' }]) expect(await listed(query)).not.toContain(foreign.id);
  });

  it.each<[string, Record<string, string | number>, string[]]>([
    ['a status that only students have', { status: 'pending' }, ['status']],
    ['empty filters', { status: '', email: '' }, ['email', 'status']],
    ['unknown parameters', { faculty_id: 'HR-1', name: 'x' }, ['faculty_id', 'name']],
  ])('refuses %s', async (_, query, paths) => {
    expect(refusal(await list(query))).toEqual([422, 'validation_error', paths]);
  });
});

describe('a faculty member in a path', () => {
  it('is found by id, by login email, by its encoded form and in any case; the admin too', async () => {
    const { id, login_email } = await create();
    for (const reference of [id, login_email, encodeURIComponent(login_email), login_email.toUpperCase()]) {
      const { status, data } = await api.call('GET', `/faculty/${reference}`, { key: north.apiKey });
      expect([status, data.id]).toEqual([200, id]);
    }
    expect((await api.call('GET', `/faculty/${north.adminLoginEmail}`, { key: north.apiKey })).data).toMatchObject({ id: north.adminId, is_admin: true });
  });

  it('unknown, of another institution, or a student answers 404 to every operation', async () => {
    const south = await api.institution();
    const foreign = await create('Grace', south);
    const { data: student } = await api.call('POST', '/students', { key: north.apiKey, body: {} });
    for (const reference of ['fac_unknown', foreign.id, foreign.login_email, student.id, student.login_email, `nobody@${north.loginDomain}`]) {
      const answers = [
        await api.call('GET', `/faculty/${reference}`, { key: north.apiKey }),
        await api.call('PATCH', `/faculty/${reference}`, { key: north.apiKey, body: { full_name: 'X', status: 'suspended' } }),
      ];
      expect(answers.map(refusal)).toEqual(Array(2).fill([404, 'not_found']));
    }
    expect((await api.call('GET', `/faculty/${foreign.id}`, { key: south.apiKey })).data).toEqual(foreign);
  });
});
