import { idsIn, errorSummary } from '../../support/responses';
import { asAdmin } from '../../support/developers';
import { examFixtureForEachTest } from '../../support/examFixture';
import { seedStudents } from '../../support/seed/students';

const desk = examFixtureForEachTest();
let students: string[];

beforeEach(async () => {
  students = await seedStudents(desk.api, desk.institution, 3);
});

const emailOf = (nth: number): string => `many00000${nth}@${desk.institution.loginDomain}`;
const membersOf = async (id: string): Promise<string[]> => idsIn((await desk.call('GET', `/groups/${id}`)).data.members);

/** What the three operations that take a list answer to it, each of a group of the first student. */
async function answersTo(student_ids: readonly (string | undefined)[]) {
  const [patched, joined] = [await desk.group(students.slice(0, 1)), await desk.group(students.slice(0, 1))];
  return [
    await desk.call('POST', '/groups', { name: 'Class', student_ids }),
    await desk.call('PATCH', `/groups/${patched}`, { student_ids }),
    await desk.call('POST', `/groups/${joined}/members`, { student_ids }),
    await desk.api.platform('POST', `/institutions/${desk.institution.id}/groups`, { ...asAdmin(desk.institution), body: { name: 'Class', student_ids } }),
  ];
}

describe('those of student_ids who matched nobody', () => {
  it('are answered as they were sent, each once and in order; those named twice are not', async () => {
    const [foreign] = await seedStudents(desk.api, await desk.api.institution(), 1);
    const sent = ['W-1', students[1], emailOf(2).toUpperCase(), 'Nobody@X.example', foreign, 'W-1', desk.institution.adminLoginEmail, emailOf(3)];
    for (const { status, data } of await answersTo(sent)) {
      expect([status, data.skipped]).toEqual([200, ['W-1', 'Nobody@X.example', foreign, desk.institution.adminLoginEmail]]);
    }
  });

  it('are none where everybody is a student, where the list is empty, and where there is no list', async () => {
    for (const { data } of [...(await answersTo([...students, students[0]])), ...(await answersTo([]))]) expect(data.skipped).toEqual([]);
    const { data: created } = await desk.call('POST', '/groups', { name: 'Class' });
    expect([created.skipped, (await desk.call('PATCH', `/groups/${created.id}`, { name: 'Other' })).data.skipped]).toEqual([[], []]);
  });

  it('are not refused when they are all there is of a new group', async () => {
    const { status, data } = await desk.call('POST', '/groups', { name: 'Class', student_ids: ['W-1'] });
    expect([status, data.member_count, data.skipped]).toEqual([200, 0, ['W-1']]);
  });

  it.each(['PATCH', 'POST'])('are no_valid_students when they are the whole list of a %s, and nothing changes', async (method) => {
    const id = await desk.group(students);
    const before = (await desk.call('GET', `/groups/${id}`)).data;
    const answer = method === 'PATCH'
      ? await desk.call('PATCH', `/groups/${id}`, { name: 'Other', student_ids: ['W-1', 'stu_unknown'] })
      : await desk.call('POST', `/groups/${id}/members`, { student_ids: ['W-1', 'stu_unknown'] });
    expect(errorSummary(answer)).toEqual([422, 'no_valid_students']);
    expect((await desk.call('GET', `/groups/${id}`)).data).toEqual(before);
  });

  it('empty a group by an empty list alone', async () => {
    const id = await desk.group(students);
    expect((await desk.call('PATCH', `/groups/${id}`, { student_ids: [] })).data).toMatchObject({ member_count: 0, skipped: [] });
    expect(await membersOf(id)).toEqual([]);
  });
});
