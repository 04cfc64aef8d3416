import { idsOf, errorSummary } from '../../support/responses';
import { apiFixture } from '../../support/apiFixture';

const fixture = apiFixture();
const { api, call, listAt } = fixture;

const create = async (full_name = 'Grace', institution = fixture.institution): Promise<{ id: string; login_email: string }> =>
  (await call('POST', '/faculty', { full_name }, institution)).data;
const list = (query: Record<string, string | number> = {}) => listAt('/faculty', query);
const listed = async (query: Record<string, string | number>): Promise<string[]> => idsOf(await list(query));

describe('the list of faculty', () => {
  // Contract: faculty.list.response
  it('has the newest first, and the institution admin among them', async () => {
    const [one, two] = [await create(), await create()];
    await call('POST', '/students', {});
    const { data } = await list();
    expect(data.items.map(({ id, is_admin }: { id: string; is_admin: boolean }) => [id, is_admin])).toEqual([
      [two.id, false], [one.id, false], [fixture.institution.adminId, true],
    ]);
    expect(data).toMatchObject({ page: 1, limit: 50, total: 3, has_more: false });
  });

  // Contract: faculty.list.query
  it('is paged', async () => {
    const ids = [fixture.institution.adminId];
    for (const name of ['a', 'b', 'c', 'd']) ids.push((await create(name)).id);
    const pages = [await list({ limit: 2 }), await list({ limit: 2, page: 2 }), await list({ limit: 2, page: 3 })];
    expect(pages.map(({ data }) => [data.items.length, data.total, data.has_more])).toEqual([[2, 5, true], [2, 5, true], [1, 5, false]]);
    expect(pages.flatMap(idsOf)).toEqual(ids.reverse());
  });

  it('filters by the identifier of the institution, case included', async () => {
    const [one, two] = (await Promise.all(['HR-7', 'HR-7', 'hr-7'].map((faculty_id) => call('POST', '/faculty', { full_name: 'Grace', faculty_id })))).map(({ data }) => String(data.id));
    expect((await listed({ faculty_id: 'HR-7' })).toSorted()).toEqual([one, two].toSorted());
    const { data } = await list({ faculty_id: 'HR-7', status: 'active' });
    expect([data.items.length, data.total]).toEqual([2, 2]);
    await call('POST', '/students', { student_id: 'HR-7' });
    expect(await listed({ faculty_id: 'HR-8' })).toEqual([]);
  });

  // Contract: faculty.list.query
  it('filters by login email in any case, and by no other address', async () => {
    const { id, login_email } = await create();
    for (const email of [login_email, login_email.toUpperCase()]) expect(await listed({ email })).toEqual([id]);
    const { data: student } = await call('POST', '/students', {});
    for (const email of [student.login_email, `admin@${fixture.institution.loginDomain}`, `nobody@${fixture.institution.loginDomain}`]) expect(await listed({ email })).toEqual([]);
  });

  // Contract: faculty.list.query
  it('filters by status, and by both at once', async () => {
    const [active, suspended] = [await create(), await create()];
    await call('PATCH', `/faculty/${suspended.id}`, { status: 'suspended' });
    expect([await listed({ status: 'active' }), await listed({ status: 'suspended' })]).toEqual([[active.id, fixture.institution.adminId], [suspended.id]]);
    expect(await listed({ status: 'active', email: suspended.login_email })).toEqual([]);
  });

  it("never shows another institution's", async () => {
    const foreign = await create('Grace', await api.institution());
    for (const query of [{}, { email: foreign.login_email }, { status: 'active' }]) expect(await listed(query)).not.toContain(foreign.id);
  });

  it.each<[string, Record<string, string | number>, string[]]>([
    ['a status that only students have', { status: 'pending' }, ['status']],
    ['empty filters', { status: '', email: '' }, ['email', 'status']],
    ['unknown parameters', { surname: 'Hopper', name: 'x' }, ['name', 'surname']],
  ])('refuses %s', async (_, query, paths) => {
    expect(errorSummary(await list(query))).toEqual([422, 'validation_error', paths]);
  });
});

describe('a faculty member in a path', () => {
  // Contract: requests.person-id.id-or-login-email, faculty.get.id-or-login-email, faculty.get.response
  it('is found by id, by login email, by its encoded form and in any case; the admin too', async () => {
    const { id, login_email } = await create();
    for (const reference of [id, login_email, encodeURIComponent(login_email), login_email.toUpperCase()]) {
      const { status, data } = await call('GET', `/faculty/${reference}`);
      expect([status, data.id]).toEqual([200, id]);
    }
    expect((await call('GET', `/faculty/${fixture.institution.adminLoginEmail}`)).data).toMatchObject({ id: fixture.institution.adminId, is_admin: true });
  });

  it('unknown, of another institution, or a student answers 404 to every operation', async () => {
    const otherInstitution = await api.institution();
    const foreign = await create('Grace', otherInstitution);
    const { data: student } = await call('POST', '/students', {});
    for (const reference of ['fac_unknown', foreign.id, foreign.login_email, student.id, student.login_email, `nobody@${fixture.institution.loginDomain}`]) {
      const answers = [
        await call('GET', `/faculty/${reference}`),
        await call('PATCH', `/faculty/${reference}`, { full_name: 'X', status: 'suspended' }),
      ];
      expect(answers.map(errorSummary)).toEqual(Array(2).fill([404, 'not_found']));
    }
    expect((await call('GET', `/faculty/${foreign.id}`, undefined, otherInstitution)).data).toEqual(foreign);
  });
});
