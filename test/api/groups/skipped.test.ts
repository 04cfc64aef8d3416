import { idsIn, errorSummary } from '../../support/responses';
import { asAdmin } from '../../support/developers';
import { apiFixture } from '../../support/apiFixture';
import { seedStudents } from '../../support/seed/students';

const { api, institution, call, createGroup } = apiFixture();
let students: string[];

beforeEach(async () => {
  students = await seedStudents(api, institution, 3);
});

const emailOf = (nth: number): string => `many00000${nth}@${institution.loginDomain}`;
const membersOf = async (id: string): Promise<string[]> => idsIn((await call('GET', `/groups/${id}`)).data.members);

/** What the three operations that take a list answer to it, each of a group of the first student. */
async function answersTo(student_ids: readonly (string | undefined)[]) {
  const [patched, joined] = [await createGroup(students.slice(0, 1)), await createGroup(students.slice(0, 1))];
  return [
    await call('POST', '/groups', { name: 'Class', student_ids }),
    await call('PATCH', `/groups/${patched}`, { student_ids }),
    await call('POST', `/groups/${joined}/members`, { student_ids }),
    await api.platform('POST', `/institutions/${institution.id}/groups`, { ...asAdmin(institution), body: { name: 'Class', student_ids } }),
  ];
}

describe('those of student_ids who matched nobody', () => {
  it('are answered as they were sent, each once and in order; those named twice are not', async () => {
    const [foreign] = await seedStudents(api, await api.institution(), 1);
    const sent = ['W-1', students[1], emailOf(2).toUpperCase(), 'Nobody@X.example', foreign, 'W-1', institution.adminLoginEmail, emailOf(3)];
    for (const { status, data } of await answersTo(sent)) {
      expect([status, data.skipped]).toEqual([200, ['W-1', 'Nobody@X.example', foreign, institution.adminLoginEmail]]);
    }
  });

  it('are none where everybody is a student, where the list is empty, and where there is no list', async () => {
    for (const { data } of [...(await answersTo([...students, students[0]])), ...(await answersTo([]))]) expect(data.skipped).toEqual([]);
    const { data: created } = await call('POST', '/groups', { name: 'Class' });
    expect([created.skipped, (await call('PATCH', `/groups/${created.id}`, { name: 'Other' })).data.skipped]).toEqual([[], []]);
  });

  it('are not refused when they are all there is of a new group', async () => {
    const { status, data } = await call('POST', '/groups', { name: 'Class', student_ids: ['W-1'] });
    expect([status, data.member_count, data.skipped]).toEqual([200, 0, ['W-1']]);
  });

  it.each(['PATCH', 'POST'])('are no_valid_students when they are the whole list of a %s, and nothing changes', async (method) => {
    const id = await createGroup(students);
    const before = (await call('GET', `/groups/${id}`)).data;
    const answer = method === 'PATCH'
      ? await call('PATCH', `/groups/${id}`, { name: 'Other', student_ids: ['W-1', 'stu_unknown'] })
      : await call('POST', `/groups/${id}/members`, { student_ids: ['W-1', 'stu_unknown'] });
    expect(errorSummary(answer)).toEqual([422, 'no_valid_students', ['student_ids']]);
    expect((await call('GET', `/groups/${id}`)).data).toEqual(before);
  });

  it('empty a group by an empty list alone', async () => {
    const id = await createGroup(students);
    expect((await call('PATCH', `/groups/${id}`, { student_ids: [] })).data).toMatchObject({ member_count: 0, skipped: [] });
    expect(await membersOf(id)).toEqual([]);
  });
});
