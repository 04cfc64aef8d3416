import { idsIn, errorSummary } from '../../support/responses';
import { apiFixture } from '../../support/apiFixture';
import { eventsDuring } from '../../support/events';
import { seedStudents } from '../../support/seed/students';

const { api, institution, sql, call } = apiFixture();
let students: string[];

beforeEach(async () => {
  students = await seedStudents(api, institution, 4);
});

const created = async (body: object = {}): Promise<{ id: string; updated_at: string; skipped: string[] }> => (await call('POST', '/groups', { name: 'Class', ...body })).data;
const membersOf = async (id: string): Promise<string[]> => idsIn((await call('GET', `/groups/${id}`)).data.members);

describe('GET', () => {
  // Contract: groups.get.members-and-exams, groups.get.response
  it('returns the members of every status, by login email', async () => {
    const { id } = await created({ student_ids: [students[2], students[0], students[1]] });
    await call('POST', `/students/${students[1]}/suspend`);
    const { data } = await call('GET', `/groups/${id}`);
    expect(data.members).toEqual([0, 1, 2].map((nth) => ({
      id: students[nth],
      login_email: `many00000${nth + 1}@${institution.loginDomain}`,
      full_name: `Student many00000${nth + 1}@${institution.loginDomain}`,
      status: nth === 1 ? 'suspended' : 'active',
    })));
    expect(data.member_count).toBe(3);
  });

  it('answers the members of this group alone', async () => {
    const [one, other] = [await created({ student_ids: students.slice(0, 2) }), await created({ student_ids: students.slice(1) })];
    expect([await membersOf(one.id), await membersOf(other.id)]).toEqual([students.slice(0, 2), students.slice(1)]);
  });
});

describe('PATCH', () => {
  // Contract: service.purpose.manage-groups, groups.update.response
  it('changes the fields that are named and leaves the others, the members among them', async () => {
    const before = await created({ description: 'Mondays', student_ids: students });
    const { status, data } = await call('PATCH', `/groups/${before.id}`, { name: ' Algebra ' });
    expect([status, data]).toEqual([200, { ...before, name: 'Algebra', updated_at: data.updated_at }]);
    expect(data.updated_at > before.updated_at).toBe(true);
    expect(await membersOf(before.id)).toEqual(students);
  });

  it('clears the description with null', async () => {
    const { id } = await created({ description: 'Mondays' });
    expect((await call('PATCH', `/groups/${id}`, { description: null })).data.description).toBeNull();
  });

  // Contract: groups.student-ids.on-create-and-patch, groups.update.replaces-membership, groups.student-ids.unknown-skipped
  // Contract: groups.student-ids.other-institutions-skipped
  it('replaces the entire membership by the students named, skipping what is none', async () => {
    const { id } = await created({ student_ids: students.slice(0, 3) });
    const otherInstitution = await api.institution();
    const [foreign] = await seedStudents(api, otherInstitution, 1);
    const student_ids = [students[1], `many000004@${institution.loginDomain}`, students[1], foreign, 'stu_unknown', institution.adminId];
    const { data } = await call('PATCH', `/groups/${id}`, { student_ids });
    expect([data.member_count, await membersOf(id)]).toEqual([2, [students[1], students[3]]]);
  });

  // Contract: groups.update.replaces-membership
  it('empties the group with an empty list', async () => {
    const { id } = await created({ student_ids: students });
    const { status, data } = await call('PATCH', `/groups/${id}`, { student_ids: [] });
    expect([status, data.member_count]).toEqual([200, 0]);
  });

  it('with the current values is a no-op, and keeps updated_at', async () => {
    const before = await created({ student_ids: students });
    for (const body of [{}, { name: 'Class', description: null, faculty_id: institution.adminId, student_ids: students }]) {
      expect((await call('PATCH', `/groups/${before.id}`, body)).data).toEqual(before);
    }
  });

  it('moves updated_at when only members change', async () => {
    const before = await created({ student_ids: students });
    const { data } = await call('PATCH', `/groups/${before.id}`, { student_ids: students.slice(1) });
    expect(data.updated_at > before.updated_at).toBe(true);
  });

  it('that is refused changes nothing', async () => {
    const { skipped: _skipped, ...before } = await created({ student_ids: students });
    expect(errorSummary(await call('PATCH', `/groups/${before.id}`, { name: 'Other', student_ids: [], faculty_id: 'fac_unknown' }))).toEqual([422, 'invalid_faculty', ['faculty_id']]);
    expect(errorSummary(await call('PATCH', `/groups/${before.id}`, { name: null, member_count: 3, student_ids: null }))).toEqual([
      422, 'validation_error', ['member_count', 'name', 'student_ids'],
    ]);
    expect([(await call('GET', '/groups')).data.items, await membersOf(before.id)]).toEqual([[before], students]);
  });

  it('by ten callers at once leaves the membership of one of them, whole', async () => {
    const { id } = await created({ student_ids: students });
    const lists = Array.from({ length: 10 }, (_, nth) => students.filter((_student, index) => ((nth % 5) + 1) & (1 << index)));
    const answers = await Promise.all(lists.map((student_ids) => call('PATCH', `/groups/${id}`, { student_ids })));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(lists).toContainEqual(await membersOf(id));
  });
});

describe('DELETE', () => {
  it('removes the group and its memberships; the students stay', async () => {
    const { id } = await created({ student_ids: students });
    const other = await created({ student_ids: students });
    const { status, data } = await call('DELETE', `/groups/${id}`);
    expect([status, data]).toEqual([200, { id, deleted: true }]);
    expect(errorSummary(await call('GET', `/groups/${id}`))).toEqual([404, 'not_found']);
    expect(await sql('SELECT 1 FROM group_members WHERE group_id = $1', [id])).toEqual([]);
    expect([(await call('GET', '/students')).data.total, await membersOf(other.id)]).toEqual([4, students]);
  });

  it('twice is 404', async () => {
    const { id } = await created();
    const answers = await Promise.all([call('DELETE', `/groups/${id}`), call('DELETE', `/groups/${id}`)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  });
});

it('no operation on groups emits an event', async () => {
  const events = await eventsDuring(api, institution, async () => {
    const { id } = await created({ student_ids: students });
    await call('PATCH', `/groups/${id}`, { name: 'Other', student_ids: [] });
    await call('POST', `/groups/${id}/members`, { student_ids: students });
    await call('DELETE', `/groups/${id}/members/${students[0]}`);
    await call('DELETE', `/groups/${id}`);
  });
  expect(events).toEqual([]);
});

it('a group that is unknown, or of another institution, answers 404 to every operation and stays as it is', async () => {
  const { id } = await created({ student_ids: students });
  const before = (await call('GET', `/groups/${id}`)).data;
  const otherInstitution = await api.institution();
  for (const reference of [id, 'grp_unknown', students[0], institution.adminLoginEmail]) {
    const answers = [
      await call('GET', `/groups/${reference}`, undefined, otherInstitution),
      await call('PATCH', `/groups/${reference}`, { name: 'Mine', faculty_id: 'fac_unknown', student_ids: [] }, otherInstitution),
      await call('DELETE', `/groups/${reference}`, undefined, otherInstitution),
      await call('POST', `/groups/${reference}/members`, { student_ids: ['stu_unknown'] }, otherInstitution),
      await call('DELETE', `/groups/${reference}/members/${students[0]}`, undefined, otherInstitution),
    ];
    expect(answers.map(errorSummary)).toEqual(Array(5).fill([404, 'not_found']));
  }
  expect((await call('GET', `/groups/${id}`)).data).toEqual(before);
});
