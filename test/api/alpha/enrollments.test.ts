import { idsOf, errorSummary } from '../../support/responses';
import { appFixture } from '../../support/appFixture';
import { alphaCalls } from '../../support/alphaCalls';
import { publishedCurriculum } from '../../support/curricula';

const fixture = appFixture();
const { api, institution, sql, call, createStudents, listAt } = fixture;
const { createCurriculum, enroll, createLearner, setEnrollmentStatus, reportProgress } = alphaCalls(fixture);

const emailOf = async (id: string): Promise<string> => (await call('GET', `/students/${id}`)).data.login_email;

// Contract: service.purpose.enroll-in-alpha, alpha.enrollments.fields, alpha.enrollments.create-body
it('enrolls students by id and login email; 30 minutes a day unless it says otherwise', async () => {
  const [one = '', other = ''] = await createStudents(2);
  const id = await createCurriculum();
  const { status, data } = await enroll(id, [one, await emailOf(other)]);
  expect([status, data.enrolled, data.already_enrolled, data.skipped]).toEqual([200, 2, 0, 0]);
  expect(data.enrollments.map(({ student_id }: { student_id: string }) => student_id).sort()).toEqual([one, other].sort());
  expect(data.enrollments[0]).toMatchObject({ curriculum_id: id, status: 'active', daily_target_minutes: 30, completed_at: null });
});

// Contract: alpha.enrollments.create-body
it('skips unknown, foreign, repeated and suspended students, counts them, and names those who are none of the institution', async () => {
  const otherInstitution = await api.institution();
  const { data: foreign } = await call('POST', '/students', {}, otherInstitution);
  const [one = '', gone = ''] = await createStudents(2);
  await call('POST', `/students/${gone}/suspend`);
  const { data } = await enroll(await createCurriculum(), [one, await emailOf(one), one, foreign.id, foreign.login_email, gone, 'stu_unknown', 'S-1042', 'S-1042']);
  expect([data.enrolled, data.already_enrolled, data.skipped, data.enrollments.length]).toEqual([1, 0, 8, 1]);
  expect(data.unknown_students).toEqual([foreign.id, foreign.login_email, 'stu_unknown', 'S-1042']);
});

it('an enrollment that is there is answered as it is, its daily target too', async () => {
  const [one = '', other = ''] = await createStudents(2);
  const id = await createCurriculum();
  const { data: first } = await enroll(id, [one], { daily_target_minutes: 45 });
  const { data: second } = await enroll(id, [one, other], { daily_target_minutes: 60 });
  expect([second.enrolled, second.already_enrolled, second.skipped]).toEqual([1, 1, 0]);
  expect(second.enrollments).toContainEqual(first.enrollments[0]);
});

it('a paused and a completed enrollment are there, a withdrawn one is not', async () => {
  const id = await createCurriculum(1);
  const [paused, completed, withdrawn] = [await createLearner({ curriculumId: id }), await createLearner({ curriculumId: id }), await createLearner({ curriculumId: id })];
  await setEnrollmentStatus(paused.enrollmentId, 'paused');
  await reportProgress(completed, { score: 100 });
  await setEnrollmentStatus(withdrawn.enrollmentId, 'withdrawn');
  const { data } = await enroll(id, [paused.id, completed.id, withdrawn.id]);
  expect([data.enrolled, data.already_enrolled]).toEqual([1, 2]);
  expect(data.enrollments.map(({ status }: { status: string }) => status).sort()).toEqual(['active', 'completed', 'paused']);
});

it('nobody to enroll is no_valid_students', async () => {
  const id = await createCurriculum();
  const [gone = ''] = await createStudents(1);
  await call('POST', `/students/${gone}/suspend`);
  for (const named of [[], ['stu_unknown'], [gone], [institution.adminId]]) expect(errorSummary(await enroll(id, named))).toEqual([422, 'no_valid_students', ['student_ids']]);
});

it('an unknown, unpublished or foreign curriculum is not found', async () => {
  const students = await createStudents(1);
  const otherInstitution = await api.institution();
  const foreign = await publishedCurriculum(api, { 'x-actor': otherInstitution.adminId });
  const { data: draft } = await api.platform('POST', '/alpha/curricula', { headers: { 'x-actor': institution.adminId }, body: { title: 'T', concepts: [{ id: 'a', title: 'A' }] } });
  for (const id of ['cur_unknown', foreign, draft.id]) expect(errorSummary(await enroll(id, students))).toEqual([404, 'not_found']);
});

it('students of every institution are enrolled in a shared curriculum', async () => {
  const id = await publishedCurriculum(api, {});
  const { data } = await enroll(id, await createStudents(1));
  expect(data.enrolled).toBe(1);
});

it.each([
  [{ daily_target_minutes: 4 }, ['daily_target_minutes']],
  [{ daily_target_minutes: 481 }, ['daily_target_minutes']],
  [{ daily_target_minutes: 30.5 }, ['daily_target_minutes']],
  [{ student_ids: Array.from({ length: 201 }, (_, nth) => `stu_${nth}`) }, ['student_ids']],
  [{ status: 'paused' }, ['status']],
])('a body against the bounds is refused with its path (%#)', async (further, paths) => {
  expect(errorSummary(await enroll(await createCurriculum(), ['stu_x'], further))).toEqual([422, 'validation_error', paths]);
});

it('200 students are enrolled in one call', async () => {
  const { data } = await enroll(await createCurriculum(), await createStudents(200));
  expect([data.enrolled, data.enrollments.length]).toEqual([200, 200]);
});

// Contract: alpha.enrollments.query, alpha.enrollments.response
it('lists newest first, by pages, and those of one student by id or login email', async () => {
  const [one = '', other = ''] = await createStudents(2);
  const [first, second] = [await createCurriculum(), await createCurriculum()];
  const made: string[] = [];
  for (const [id, student] of [[first, one], [second, one], [first, other]] as const) made.push((await enroll(id, [student])).data.enrollments[0].id);
  const list = (query = {}) => listAt('/alpha/enrollments', query);
  const [a, b, c] = made;
  expect(idsOf(await list())).toEqual([c, b, a]);
  expect(idsOf(await list({ student_id: one }))).toEqual([b, a]);
  expect(idsOf(await list({ student_id: (await emailOf(one)).toUpperCase() }))).toEqual([b, a]);
  expect((await list({ page: 2, limit: 2 })).data).toMatchObject({ items: [{ id: a }], page: 2, limit: 2, total: 3, has_more: false });
});

describe('at the same time', () => {
  it('20 enroll the same students: each has one enrollment, and all are answered the same', async () => {
    const students = await createStudents(5);
    const id = await createCurriculum();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, nth) => enroll(id, nth % 2 === 0 ? students : [...students].reverse())));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(answers.reduce((sum, { data }) => sum + Number(data.enrolled), 0)).toBe(5);
    const sets = answers.map(({ data }) => data.enrollments.map((one: { id: string }) => one.id).sort().join());
    expect(new Set(sets).size).toBe(1);
    expect((await listAt('/alpha/enrollments', {})).data.total).toBe(5);
  });

  it.each([1, 2, 3])('a withdrawal and a new enrollment at once: at most one is open, and each call is answered (round %i)', async () => {
    const who = await createLearner();
    const [withdrawn, again] = await Promise.all([setEnrollmentStatus(who.enrollmentId, 'withdrawn'), enroll(who.curriculumId, [who.id])]);
    expect([withdrawn.status, again.status, again.data.enrollments.length]).toEqual([200, 200, 1]);
    const open = await sql<{ id: string }>(`SELECT id FROM alpha_enrollments WHERE student_id = $1 AND status <> 'withdrawn'`, [who.id]);
    expect(open.length).toBe(again.data.enrolled);
  });
});
