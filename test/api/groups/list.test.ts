import { idsOf, errorSummary } from '../../support/responses';
import { apiFixture } from '../../support/apiFixture';
import { seedStudents } from '../../support/seed/students';

const fixture = apiFixture();
const { api, call, listAt } = fixture;

const create = async (body: object, institution = fixture.institution): Promise<string> =>
  (await call('POST', '/groups', body, institution)).data.id;
const list = (query: Record<string, string | number> = {}) => listAt('/groups', query);
const listed = async (query: Record<string, string | number>): Promise<string[]> => idsOf(await list(query));

describe('the list of groups', () => {
  // Contract: groups.list.response
  it('has the newest first, each with its number of members', async () => {
    const students = await seedStudents(api, fixture.institution, 2);
    const [empty, two] = [await create({ name: 'Empty' }), await create({ name: 'Two', student_ids: students })];
    const { data } = await list();
    expect(data.items.map(({ id, member_count }: { id: string; member_count: number }) => [id, member_count])).toEqual([[two, 2], [empty, 0]]);
    expect(data).toMatchObject({ page: 1, limit: 50, total: 2, has_more: false });
  });

  // Contract: groups.list.query
  it('is paged', async () => {
    const ids = [];
    for (const name of ['a', 'b', 'c']) ids.push(await create({ name }));
    const pages = [await list({ limit: 2 }), await list({ limit: 2, page: 2 })];
    expect(pages.map(({ data }) => [data.items.length, data.total, data.has_more])).toEqual([[2, 3, true], [1, 3, false]]);
    expect(pages.flatMap(idsOf)).toEqual(ids.reverse());
  });

  it("never shows another institution's", async () => {
    await create({ name: 'Algebra' }, await api.institution());
    for (const query of [{}, { q: 'Algebra' }]) expect(await listed(query)).toEqual([]);
  });
});

describe('q', () => {
  // Contract: groups.list.query
  it('finds text anywhere in the name or the description, in any case', async () => {
    const [byName, byDescription] = [await create({ name: 'ALGEBRA 9b' }), await create({ name: 'Class', description: 'Linear\nalgebra' })];
    await create({ name: 'Geometry', description: 'no alge bra' });
    for (const q of ['algebra', 'Algebra', ' ALGEBRA ', 'lgebr']) expect(await listed({ q })).toEqual([byDescription, byName]);
  });

  it('ignores case beyond ASCII', async () => {
    const id = await create({ name: 'Élèves de 3e', description: 'МАТЕМАТИКА' });
    for (const q of ['éLÈves', 'математика']) expect(await listed({ q })).toEqual([id]);
  });

  it.each(['%', '_', '\\', '100%', 'a_b', 'c:\\temp', '%_\\', "'", '$1', '$'])('takes %p for itself', async (q) => {
    const id = await create({ name: `x${q}y` });
    await create({ name: 'x', description: '100 percent, axb, ctemp' });
    expect(await listed({ q })).toEqual([id]);
  });

  it('that nothing contains is an empty list', async () => {
    await create({ name: 'Algebra' });
    expect((await list({ q: 'Algebra 2' })).data).toMatchObject({ items: [], total: 0 });
  });
});

describe('faculty_id', () => {
  // Contract: groups.list.query
  it('finds the groups of an owner named by id or login email', async () => {
    const { data: teacher } = await call('POST', '/faculty', { full_name: 'Grace' });
    const [own, admins] = [await create({ name: 'a', faculty_id: teacher.id }), await create({ name: 'b' })];
    for (const faculty_id of [teacher.id, teacher.login_email, teacher.login_email.toUpperCase()]) expect(await listed({ faculty_id })).toEqual([own]);
    expect(await listed({ faculty_id: fixture.institution.adminLoginEmail })).toEqual([admins]);
  });

  it('that is unknown or of another institution is an empty list', async () => {
    const otherInstitution = await api.institution();
    await create({ name: 'a' });
    for (const faculty_id of ['fac_unknown', `nobody@${fixture.institution.loginDomain}`, otherInstitution.adminId, otherInstitution.adminLoginEmail]) expect(await listed({ faculty_id })).toEqual([]);
  });

  it('and q together narrow the list', async () => {
    const { data: teacher } = await call('POST', '/faculty', { full_name: 'Grace' });
    const both = await create({ name: 'Algebra', faculty_id: teacher.id });
    await create({ name: 'Algebra' });
    await create({ name: 'Geometry', faculty_id: teacher.id });
    expect(await listed({ faculty_id: teacher.id, q: 'algebra' })).toEqual([both]);
  });
});

it.each<[string, Record<string, string | number>, string[]]>([
  ['empty filters', { faculty_id: '', q: ' ' }, ['faculty_id', 'q']],
  ['control characters', { q: 'a\u0000b' }, ['q']],
  ['a q of over 200 characters', { q: 'x'.repeat(201) }, ['q']],
  ['unknown parameters', { name: 'Algebra', status: 'x' }, ['name', 'status']],
])('the list refuses %s', async (_, query, paths) => {
  expect(errorSummary(await list(query))).toEqual([422, 'validation_error', paths]);
});
