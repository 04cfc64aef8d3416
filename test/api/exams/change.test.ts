import { errorSummary } from '../../support/responses';
import { eventsDuring } from '../../support/events';
import { apiFixture } from '../../support/apiFixture';
import { seedExamAttempt, seedSubmission } from '../../support/seed/submissions';

const { api, institution, call, readExam, createExam, createGroup, createStudents, createExamWithStatus } = apiFixture();
const spec = { v: 1, brief_md: 'Add', toolchain: 'python', commands: { run: 'python main.py' } };

const patch = (id: string, body: object) => call('PATCH', `/exams/${id}`, body);
const groupsOf = async (id: string): Promise<string[]> => (await readExam(id)).groups.map((group: { id: string }) => group.id).sort();

describe('a PATCH', () => {
  // Contract: exams.update.body, exams.update.response
  it('changes the fields that are named and leaves the others', async () => {
    const exam = await createExam({ max_score: 20, due_date: '2099-01-01T00:00:00Z', code_spec: spec, group_ids: [await createGroup()] });
    const { data } = await patch(exam.id, { title: ' Geometry ' });
    expect(data).toEqual({ ...exam, title: 'Geometry', updated_at: data.updated_at });
    expect(data.updated_at > exam.updated_at).toBe(true);
  });

  // Contract: exams.owner.always, exams.update.body
  it('clears what may be null, and nothing else', async () => {
    const { id } = await createExam({ due_date: '2099-01-01T00:00:00Z', time_limit_minutes: 30, code_spec: spec });
    expect((await patch(id, { due_date: null, time_limit_minutes: null, code_spec: null })).data).toMatchObject({
      due_date: null, time_limit_minutes: null, code_spec: null, app: 'svc',
    });
    const nulls = { title: null, faculty_id: null, exam_type: null, max_score: null, proctoring: null, ai_policy: null, group_ids: null };
    expect(errorSummary(await patch(id, nulls))).toEqual([422, 'validation_error', Object.keys(nulls).sort()]);
  });

  it('merges proctoring and ai_policy into the existing values, regardless of the institution config', async () => {
    const { id } = await createExam({ proctoring: { camera: true }, ai_policy: { allowed: true, max_interactions: 5 } });
    await call('PUT', '/institution/config', { default_proctoring: { camera: false, microphone: true, screen: true } });
    expect((await patch(id, { proctoring: { screen: true }, ai_policy: { model_tier: 'local' } })).data).toMatchObject({
      proctoring: { camera: true, microphone: false, screen: true },
      ai_policy: { allowed: true, model_tier: 'local', max_interactions: 5 },
    });
  });

  // Contract: exams.publish.create-time-only
  it('refuses what the service sets, and publish', async () => {
    const { id } = await createExam();
    const fields = { app: 'svc', id: 'exm_x', publish: true, published_at: null, stats: {}, status: 'closed' };
    expect(errorSummary(await patch(id, fields))).toEqual([422, 'validation_error', Object.keys(fields)]);
  });

  it('that is refused in part changes nothing, and emits nothing', async () => {
    const exam = await createExam({ group_ids: [await createGroup()] });
    const events = await eventsDuring(api, institution, async () => {
      expect(errorSummary(await patch(exam.id, { title: 'Other', group_ids: [await createGroup(), 'grp_unknown'] }))).toEqual([404, 'not_found']);
    });
    expect([events, await readExam(exam.id)]).toEqual([[], exam]);
  });
});

describe('group_ids of a PATCH', () => {
  it('replace the assignments; those that are new are announced, those that stay are not', async () => {
    const [gone, stays, comes] = [await createGroup(), await createGroup(), await createGroup(await createStudents(1))];
    const { id, groups } = await createExam({ group_ids: [gone, stays] });
    const events = await eventsDuring(api, institution, () => patch(id, { group_ids: [comes, stays, comes] }));
    expect(events).toEqual([{ type: 'exam.assigned', data: { exam_id: id, group_id: comes, student_count: 1 } }]);
    expect(await groupsOf(id)).toEqual([stays, comes].sort());
    const kept = ({ id: groupId }: { id: string }) => groupId === stays;
    expect((await readExam(id)).groups.find(kept)).toEqual(groups.find(kept));
  });

  it('may be none, which takes the exam back from every group', async () => {
    const { id } = await createExam({ group_ids: [await createGroup(), await createGroup()] });
    const events = await eventsDuring(api, institution, async () => expect((await patch(id, { group_ids: [] })).status).toBe(200));
    expect([events, await groupsOf(id)]).toEqual([[], []]);
  });

  it('announce a group again that had been removed', async () => {
    const groupId = await createGroup();
    const { id } = await createExam({ group_ids: [groupId] });
    await patch(id, { group_ids: [] });
    const events = await eventsDuring(api, institution, () => patch(id, { group_ids: [groupId] }));
    expect(events.map(({ type }) => type)).toEqual(['exam.assigned']);
  });

  it('of a draft are silent', async () => {
    const { id } = await createExamWithStatus('draft');
    const groupId = await createGroup();
    expect(await eventsDuring(api, institution, () => patch(id, { group_ids: [groupId] }))).toEqual([]);
    expect(await groupsOf(id)).toEqual([groupId]);
  });
});

describe('max_score', () => {
  it('does not fall below a score that was given, in any version', async () => {
    const [studentId = ''] = await createStudents(1);
    const { id } = await createExam({ max_score: 50 });
    await seedSubmission(api, institution, { examId: id, studentId }, { version: 1, status: 'graded', score: 40.25, percentage: 80.5 });
    await seedSubmission(api, institution, { examId: id, studentId }, { version: 2 });
    expect(errorSummary(await patch(id, { max_score: 40.24 }))).toEqual([409, 'conflict']);
    expect((await patch(id, { max_score: 40.25 })).data.max_score).toBe(40.25);
    expect((await patch(id, { max_score: 60 })).data.max_score).toBe(60);
  });

  it('falls freely while no score was given in this exam', async () => {
    const [studentId = ''] = await createStudents(1);
    const [one, other] = [await createExam(), await createExam()];
    await seedSubmission(api, institution, { examId: other.id, studentId }, { status: 'graded', score: 90, percentage: 90 });
    await seedSubmission(api, institution, { examId: one.id, studentId });
    expect((await patch(one.id, { max_score: 1 })).data.max_score).toBe(1);
  });
});

describe('code_spec', () => {
  it('does not change, come or go once an attempt has started; anything else does', async () => {
    const [studentId = ''] = await createStudents(1);
    const [coding, document] = [await createExam({ code_spec: spec }), await createExam()];
    for (const { id } of [coding, document]) await seedExamAttempt(api, institution, { examId: id, studentId }, { status: 'abandoned' });
    expect(errorSummary(await patch(coding.id, { code_spec: { ...spec, toolchain: 'c' } }))).toEqual([409, 'conflict']);
    expect(errorSummary(await patch(coding.id, { title: 'Other', code_spec: null }))).toEqual([409, 'conflict']);
    expect(errorSummary(await patch(document.id, { code_spec: spec }))).toEqual([409, 'conflict']);
    expect((await patch(document.id, { title: 'Other', code_spec: null })).data).toMatchObject({ title: 'Other', app: 'svc' });
    expect((await patch(coding.id, { title: 'Other' })).data).toMatchObject({ title: 'Other', app: 'svccode' });
  });
});

describe('a closed exam', () => {
  it('still changes title, due date and the rules for late submissions', async () => {
    const { id } = await createExamWithStatus('closed');
    const fields = { title: 'Other', due_date: '2099-01-01T00:00:00.000Z', allow_late_submission: true, late_penalty_percentage: 5 };
    expect((await patch(id, fields)).data).toMatchObject({ ...fields, status: 'closed' });
  });

  it('refuses anything else by name, even where it would stay the same', async () => {
    const exam = await createExamWithStatus('closed');
    const { status, body } = await patch(exam.id, { title: 'Other', max_score: exam.max_score, group_ids: [] });
    expect([status, body.error, body.message]).toEqual([409, 'conflict', 'The exam is closed: max_score, group_ids can no longer be changed.']);
    expect(await readExam(exam.id)).toEqual(exam);
  });
});
