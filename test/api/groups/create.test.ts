import { idsIn, idsOf, errorSummary } from '../../support/responses';
import { apiFixture } from '../../support/apiFixture';
import { eventsDuring } from '../../support/events';
import { seedStudents } from '../../support/seed/students';

const fixture = apiFixture();
const { api, call } = fixture;

const create = (body: object, institution = fixture.institution) => call('POST', '/groups', body, institution);
const membersOf = async (id: string): Promise<string[]> =>
  idsIn((await call('GET', `/groups/${id}`)).data.members);
const invalid = (...paths: string[]) => [422, 'validation_error', paths];

describe('a new group', () => {
  // Contract: service.purpose.manage-groups, groups.fields.id, groups.fields.name, groups.owner.defaults-to-admin, groups.create.body
  // Contract: groups.create.response
  it('needs a name alone', async () => {
    const { status, data } = await create({ name: '  Algebra 9b ' });
    expect([status, data]).toEqual([
      200,
      {
        id: expect.stringMatching(/^grp_[0-9a-z]{26}$/),
        name: 'Algebra 9b',
        description: null,
        faculty_id: fixture.institution.adminId,
        member_count: 0,
        created_at: expect.any(String),
        updated_at: data.created_at,
        skipped: [],
      },
    ]);
    const { skipped: _skipped, ...group } = data;
    expect((await call('GET', `/groups/${data.id}`)).data).toEqual({ ...group, members: [], exams: [], exam_count: 0 });
  });

  // Contract: groups.fields.description, groups.create.body
  it('may have the name of another, and a description of several lines', async () => {
    const [first, second] = [await create({ name: 'Class' }), await create({ name: 'Class', description: 'Mondays\n\tThursdays' })];
    expect([first.status, second.status, second.data.description]).toEqual([200, 200, 'Mondays\n\tThursdays']);
    expect(first.data.id).not.toBe(second.data.id);
  });

  it('emits nothing: the specification has no event for groups', async () => {
    expect(await eventsDuring(api, fixture.institution, () => create({ name: 'Class' }))).toEqual([]);
  });

  it.each<[string, object, string[]]>([
    ['no name', {}, ['name']],
    ['a null name and owner', { name: null, faculty_id: null }, ['faculty_id', 'name']],
    ['a blank name', { name: '  ' }, ['name']],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, ['name']],
    ['a name of two lines', { name: 'a\nb' }, ['name']],
    ['students that are no list', { name: 'a', student_ids: 'stu_1' }, ['student_ids']],
    ['students that are no texts', { name: 'a', student_ids: ['stu_1', 7, null, ''] }, ['student_ids.1', 'student_ids.2', 'student_ids.3']],
    ['fields that the service sets, and unknown ones', { name: 'a', id: 'grp_1', member_count: 3, members: [], colour: 'red' }, ['colour', 'id', 'member_count', 'members']],
  ])('with %s is refused', async (_, body, paths) => {
    expect(errorSummary(await create(body))).toEqual(invalid(...paths));
    expect((await call('GET', '/groups')).data.total).toBe(0);
  });
});

describe('the students of a new group', () => {
  // Contract: groups.student-ids.on-create-and-patch, groups.member-count.counts-landed, groups.create.body, groups.create.response
  it('are named by id and login email, mixed and in any case, each landing once', async () => {
    const [ada, grace, alan] = await seedStudents(api, fixture.institution, 3);
    const student_ids = [ada, `MANY000002@${fixture.institution.loginDomain}`, ada, `many000001@${fixture.institution.loginDomain}`, alan, ` many000003@${fixture.institution.loginDomain} `];
    const { data } = await create({ name: 'Class', student_ids });
    expect([data.member_count, await membersOf(data.id)]).toEqual([3, [ada, grace, alan]]);
  });

  // Contract: groups.member-count.counts-landed, groups.student-ids.unknown-skipped, groups.student-ids.other-institutions-skipped
  it('that are unknown, of another institution or no students are skipped, and only those that landed are counted', async () => {
    const otherInstitution = await api.institution();
    const [[own], [foreign]] = [await seedStudents(api, fixture.institution, 1), await seedStudents(api, otherInstitution, 1)];
    const skipped = ['stu_unknown', foreign, `many000001@${otherInstitution.loginDomain}`, `nobody@${fixture.institution.loginDomain}`, fixture.institution.adminId, fixture.institution.adminLoginEmail, '%', '@'];
    const { data } = await create({ name: 'Class', student_ids: [...skipped, own] });
    expect([data.member_count, await membersOf(data.id)]).toEqual([1, [own]]);
  });

  it('may be suspended', async () => {
    const [student] = await seedStudents(api, fixture.institution, 1);
    await call('POST', `/students/${student}/suspend`);
    expect((await create({ name: 'Class', student_ids: [student] })).data.member_count).toBe(1);
  });

  it('may all be skipped: the group is made without members', async () => {
    for (const student_ids of [[], ['stu_unknown']]) {
      const { status, data } = await create({ name: 'Class', student_ids });
      expect([status, data.member_count]).toEqual([200, 0]);
    }
  });

  it("are those that GET /students finds by group_id, and by nobody else's key", async () => {
    const students = await seedStudents(api, fixture.institution, 3);
    const { data } = await create({ name: 'Class', student_ids: students.slice(1) });
    await create({ name: 'Others', student_ids: students });
    const found = async ({ apiKey } = fixture.institution) =>
      idsOf(await api.call('GET', '/students', { key: apiKey, query: { group_id: data.id } })).sort();
    expect([await found(), await found(await api.institution())]).toEqual([students.slice(1), []]);
  });
});
