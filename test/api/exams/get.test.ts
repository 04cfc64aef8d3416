import { errorSummary } from '../../support/responses';
import { apiFixture } from '../../support/apiFixture';
import { seedExamAttempt, seedSubmission } from '../../support/seed/submissions';

const { api, institution, call, readExam, createStudents, createGroup, createExam } = apiFixture();
const statsOf = async (id: string): Promise<unknown> => (await readExam(id)).stats;
const seed = (examId: string, studentId: string, fields: Parameters<typeof seedSubmission>[3]) => seedSubmission(api, institution, { examId, studentId }, fields);

describe('GET /exams/{id}', () => {
  // Contract: exams.get.groups-stats-code-secret-set, exams.get.response
  it('answers the groups with their members, the newest assignment first', async () => {
    const students = await createStudents(3);
    const [first, second] = [await createGroup(students, 'First'), await createGroup([], 'Second')];
    const { id } = await createExam({ group_ids: [first] });
    await call('POST', `/exams/${id}/assignments`, { group_ids: [second] });
    await call('DELETE', `/groups/${first}/members/${students[0]}`);
    const { groups } = await readExam(id);
    expect(groups).toEqual([
      { id: second, name: 'Second', member_count: 0, assigned_at: expect.any(String) },
      { id: first, name: 'First', member_count: 2, assigned_at: expect.any(String) },
    ]);
  });

  // Contract: exams.get.groups-stats-code-secret-set, exams.get.response
  it('says whether a key of hidden tests is set, and never the key', async () => {
    const { id } = await createExam();
    const hidden_key_b64 = Buffer.alloc(32, 9).toString('base64');
    await call('PUT', `/exams/${id}/code-secret`, { hidden_key_b64 });
    const { data, body } = await call('GET', `/exams/${id}`);
    expect([data.code_secret_set, JSON.stringify(body).includes(hidden_key_b64)]).toEqual([true, false]);
  });

  it('of an unknown exam, or one of another institution, is 404, as is every other operation on it', async () => {
    const exam = await createExam();
    const otherInstitution = await api.institution();
    for (const id of [exam.id, 'exm_unknown', institution.adminLoginEmail]) {
      const answers = [
        await call('GET', `/exams/${id}`, undefined, otherInstitution),
        await call('PATCH', `/exams/${id}`, { title: 'Mine' }, otherInstitution),
        await call('PATCH', `/exams/${id}`, { code_spec: null }, otherInstitution),
        await call('DELETE', `/exams/${id}`, undefined, otherInstitution),
        await call('POST', `/exams/${id}/publish`, undefined, otherInstitution),
        await call('POST', `/exams/${id}/close`, undefined, otherInstitution),
        await call('GET', `/exams/${id}/assignments`, undefined, otherInstitution),
        await call('POST', `/exams/${id}/assignments`, { group_ids: ['grp_unknown'] }, otherInstitution),
        await call('DELETE', `/exams/${id}/assignments/grp_unknown`, undefined, otherInstitution),
      ];
      expect(answers.map(errorSummary)).toEqual(answers.map(() => [404, 'not_found']));
    }
    expect(await readExam(exam.id)).toEqual(exam);
  });
});

describe('the stats', () => {
  // Contract: exams.get.groups-stats-code-secret-set, exams.get.response
  it('count each student of the assigned groups once', async () => {
    const [a = '', b = '', c = ''] = await createStudents(3);
    const [one, other] = [await createGroup([a, b]), await createGroup([b, c])];
    await createGroup([a]);
    const { id } = await createExam({ group_ids: [one, other] });
    expect(await statsOf(id)).toEqual({ assigned: 3, started: 0, submitted: 0, graded: 0, average_percentage: null });
  });

  it('count each student who started once, regardless of the number of attempts', async () => {
    const [a = '', b = ''] = await createStudents(2);
    const { id } = await createExam({ group_ids: [await createGroup([a, b])] });
    await seedExamAttempt(api, institution, { examId: id, studentId: a }, { status: 'abandoned' });
    await seedExamAttempt(api, institution, { examId: id, studentId: a });
    await seedExamAttempt(api, institution, { examId: id, studentId: b });
    expect(await statsOf(id)).toMatchObject({ assigned: 2, started: 2, submitted: 0 });
  });

  it('look at the latest version of a submission alone, and average over those graded', async () => {
    const [a = '', b = '', c = '', d = '', e = ''] = await createStudents(5);
    const { id } = await createExam({ group_ids: [await createGroup([a, b, c, d, e])] });
    await seed(id, a, { version: 1, status: 'graded', score: 10, percentage: 10 });
    await seed(id, a, { version: 2, status: 'graded', score: 80, percentage: 80 });
    await seed(id, b, { version: 1, status: 'graded', score: 50, percentage: 45.01 });
    await seed(id, c, { version: 1, status: 'graded', score: 100, percentage: 100 });
    await seed(id, c, { version: 2, status: 'submitted' });
    await seed(id, d, { version: 1, status: 'resubmission_required' });
    await seed(id, e, { version: 1, status: 'graded', score: 1, percentage: 1 });
    await seed(id, e, { version: 2, status: 'voided', score: 100, percentage: 100 });
    expect(await statsOf(id)).toEqual({ assigned: 5, started: 5, submitted: 4, graded: 2, average_percentage: 62.51 });
  });

  it('count what was submitted even where the student is in no assigned group any more', async () => {
    const [a = ''] = await createStudents(1);
    const groupId = await createGroup([a]);
    const { id } = await createExam({ group_ids: [groupId] });
    await seed(id, a, { status: 'graded', score: 70, percentage: 70 });
    await call('DELETE', `/groups/${groupId}`);
    expect(await statsOf(id)).toEqual({ assigned: 0, started: 1, submitted: 1, graded: 1, average_percentage: 70 });
  });

  it('are those of this exam alone', async () => {
    const [a = ''] = await createStudents(1);
    const [one, other] = [await createExam(), await createExam()];
    await seed(one.id, a, { status: 'graded', score: 70, percentage: 70 });
    expect(await statsOf(other.id)).toEqual({ assigned: 0, started: 0, submitted: 0, graded: 0, average_percentage: null });
  });
});
