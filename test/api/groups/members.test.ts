import { newId } from '../../../domain/ids';
import { idsIn, errorSummary } from '../../support/responses';
import { apiFixture } from '../../support/apiFixture';
import { seedStudents } from '../../support/seed/students';

const { api, institution, call } = apiFixture();
let students: string[];

beforeEach(async () => {
  students = await seedStudents(api, institution, 4);
});

const created = async (...student_ids: (string | undefined)[]): Promise<{ id: string; updated_at: string; skipped: string[] }> =>
  (await call('POST', '/groups', { name: 'Class', student_ids })).data;
const add = (id: string, ...student_ids: (string | undefined)[]) => call('POST', `/groups/${id}/members`, { student_ids });
const remove = (id: string, student: string) => call('DELETE', `/groups/${id}/members/${encodeURIComponent(student)}`);
const membersOf = async (id: string): Promise<string[]> => idsIn((await call('GET', `/groups/${id}`)).data.members);
const emailOf = (nth: number): string => `many00000${nth}@${institution.loginDomain}`;

describe('adding students to a group', () => {
  // Contract: groups.members.add-body, groups.members.add-response, groups.student-ids.unknown-skipped, groups.student-ids.other-institutions-skipped
  it('answers the group with those that landed; unknown, foreign and repeated ones are skipped', async () => {
    const before = await created(students[0]);
    const [foreign] = await seedStudents(api, await api.institution(), 1);
    const { status, data } = await add(before.id, students[1], emailOf(3).toUpperCase(), students[1], emailOf(2), foreign, 'stu_unknown', institution.adminId);
    expect([status, data]).toEqual([200, { ...before, member_count: 3, updated_at: data.updated_at, skipped: [foreign, 'stu_unknown', institution.adminId] }]);
    expect(data.updated_at > before.updated_at).toBe(true);
    expect(await membersOf(before.id)).toEqual(students.slice(0, 3));
  });

  it('who are members is a no-op and succeeds', async () => {
    const before = await created(...students);
    expect(await add(before.id, ...students, emailOf(1))).toMatchObject({ status: 200, data: before });
  });

  // Contract: errors.422.no-valid-students
  it('of whom none is a student of the institution is no_valid_students', async () => {
    const before = await created(students[0]);
    const otherInstitution = await api.institution();
    const [foreign] = await seedStudents(api, otherInstitution, 1);
    for (const named of [['stu_unknown'], [foreign, `many000001@${otherInstitution.loginDomain}`], [institution.adminId, institution.adminLoginEmail]]) {
      expect(errorSummary(await add(before.id, ...named))).toEqual([422, 'no_valid_students', ['student_ids']]);
    }
    expect(await membersOf(before.id)).toEqual([students[0]]);
  });

  it('with an empty list adds nobody', async () => {
    const before = await created(students[0]);
    expect(await add(before.id)).toMatchObject({ status: 200, data: before });
  });

  it('needs the list', async () => {
    const { id } = await created();
    expect(errorSummary(await call('POST', `/groups/${id}/members`, {}))).toEqual([422, 'validation_error', ['student_ids']]);
    expect(errorSummary(await call('POST', `/groups/${id}/members`, { student_ids: null, name: 'x' }))).toEqual([422, 'validation_error', ['name', 'student_ids']]);
  });

  it('by ten callers at once makes each a member once', async () => {
    const { id } = await created();
    const answers = await Promise.all(Array.from({ length: 10 }, (_, nth) => add(id, students[nth % 4], students[(nth + 1) % 4])));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(await membersOf(id)).toEqual(students);
  });
});

describe('removing a student from a group', () => {
  // Contract: endpoints.remove-group-member
  it('by id or login email returns their id', async () => {
    const { id, updated_at } = await created(...students);
    expect(await remove(id, String(students[0]))).toMatchObject({ status: 200, data: { id: students[0], deleted: true } });
    expect(await remove(id, emailOf(2).toUpperCase())).toMatchObject({ status: 200, data: { id: students[1], deleted: true } });
    const { data } = await call('GET', `/groups/${id}`);
    expect([data.member_count, idsIn(data.members)]).toEqual([2, students.slice(2)]);
    expect(data.updated_at > updated_at).toBe(true);
  });

  it('who is no member, unknown or foreign is 404 in the same words, and so is who is no student, with what they are', async () => {
    const { skipped: _skipped, ...before } = await created(students[0]);
    const [foreign] = await seedStudents(api, await api.institution(), 1);
    const words = 'No such member of this group in this institution.';
    for (const student of [students[1], emailOf(2), newId('stu'), foreign]) {
      const { status, body } = await remove(before.id, String(student));
      expect([status, body.error, body.message]).toEqual([404, 'not_found', words]);
    }
    const { status, body } = await remove(before.id, institution.adminId);
    expect([status, body.error, body.message]).toEqual([404, 'not_found', `${words} fac_… is the id of a faculty member: GET /v1/faculty/{id} shows it.`]);
    expect((await call('GET', '/groups')).data.items).toEqual([before]);
  });

  it('twice is 404 the second time', async () => {
    const { id } = await created(...students);
    const answers = await Promise.all([remove(id, emailOf(1)), remove(id, emailOf(1))]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  it('leaves them in other groups', async () => {
    const [one, other] = [await created(...students), await created(...students)];
    await remove(one.id, emailOf(1));
    expect(await membersOf(other.id)).toEqual(students);
  });
});
