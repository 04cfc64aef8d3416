import { idsOf, errorSummary } from '../../support/responses';
import { apiFixture } from '../../support/apiFixture';
import { seedExamAttempt, seedSubmission } from '../../support/seed/submissions';

const { api, institution, call, createStudents, createGroup, createExamWithStatus, createExam, listExams, listAt } = apiFixture();
const seenBy = async (student: string): Promise<string[]> => idsOf(await call('GET', `/students/${student}/exams`));

describe('a student', () => {
  // Contract: exams.visibility.published-and-assigned
  it('sees an exam once it is published and assigned to a group of theirs, and while it is', async () => {
    const [a = '', b = ''] = await createStudents(2);
    const [mine, other] = [await createGroup([a]), await createGroup([b])];
    const { id } = await createExamWithStatus('draft', { group_ids: [mine] });
    expect(await seenBy(a)).toEqual([]);
    await call('POST', `/exams/${id}/publish`);
    expect([await seenBy(a), await seenBy(b)]).toEqual([[id], []]);
    await call('POST', `/exams/${id}/assignments`, { group_ids: [other] });
    expect(await seenBy(b)).toEqual([id]);
    await call('DELETE', `/groups/${mine}/members/${a}`);
    expect(await seenBy(a)).toEqual([]);
    await call('POST', `/groups/${mine}/members`, { student_ids: [a] });
    expect(await seenBy(a)).toEqual([id]);
    await call('DELETE', `/exams/${id}/assignments/${mine}`);
    expect(await seenBy(a)).toEqual([]);
    await call('DELETE', `/groups/${other}`);
    expect(await seenBy(b)).toEqual([]);
  });

  it('sees none that is published to nobody', async () => {
    const [a = ''] = await createStudents(1);
    await createGroup([a]);
    await createExam();
    expect(await seenBy(a)).toEqual([]);
  });

  it('still sees a closed one', async () => {
    const [a = ''] = await createStudents(1);
    const { id } = await createExamWithStatus('closed', { group_ids: [await createGroup([a])] });
    expect((await call('GET', `/students/${a}/exams`)).data.items).toMatchObject([{ id, status: 'closed' }]);
  });

  it('sees an exam of two of their groups once', async () => {
    const [a = ''] = await createStudents(1);
    const { id } = await createExam({ group_ids: [await createGroup([a]), await createGroup([a])] });
    expect((await call('GET', `/students/${a}/exams`)).data).toMatchObject({ total: 1, items: [{ id }] });
  });

  it('is answered by login email as by id, page by page, newest first', async () => {
    const [a = ''] = await createStudents(1);
    const groupId = await createGroup([a]);
    const made: string[] = [];
    for (let n = 0; n < 3; n += 1) made.unshift((await createExam({ group_ids: [groupId] })).id);
    const { login_email } = (await call('GET', `/students/${a}`)).data;
    const pages = [await listAt(`/students/${a}/exams`, { limit: 2 }), await listAt(`/students/${login_email.toUpperCase()}/exams`, { limit: 2, page: 2 })];
    expect(pages.map(idsOf)).toEqual([made.slice(0, 2), made.slice(2)]);
    expect(pages.map(({ data: { total, has_more } }) => [total, has_more])).toEqual([[3, true], [3, false]]);
  });

  it('has attempt and submission null before the first', async () => {
    const [a = ''] = await createStudents(1);
    const exam = await createExam({ group_ids: [await createGroup([a])] });
    const { code_spec: _spec, groups: _groups, stats: _stats, code_secret_set: _set, ...summary } = exam;
    expect((await call('GET', `/students/${a}/exams`)).data.items).toEqual([{ ...summary, attempt: null, submission: null }]);
  });

  // Contract: students.exams.submission-and-attempt-state
  it('has the latest attempt and the latest version, of their own alone', async () => {
    const [a = '', b = ''] = await createStudents(2);
    const { id: examId } = await createExam({ group_ids: [await createGroup([a, b])] });
    const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
    await seedExamAttempt(api, institution, { examId, studentId: a }, { status: 'abandoned', startedAt: minutesAgo(60) });
    await seedSubmission(api, institution, { examId, studentId: a }, { version: 1, status: 'resubmission_required' });
    const latest = await seedSubmission(api, institution, { examId, studentId: a }, { version: 2, status: 'graded', score: 40.5, percentage: 36.45, isLate: true });
    const expiresAt = new Date(Date.now() + 3_600_000);
    const startedAt = new Date(Date.now() + 60_000);
    const attempt = await seedExamAttempt(api, institution, { examId, studentId: a }, { startedAt, expiresAt });
    await seedExamAttempt(api, institution, { examId, studentId: b }, { status: 'abandoned' });
    const { data: { items: [seen] } } = await call('GET', `/students/${a}/exams`);
    expect(seen.attempt).toEqual({ id: attempt, status: 'in_progress', started_at: startedAt.toISOString(), expires_at: expiresAt.toISOString(), hidden_released_at: null });
    expect(seen.submission).toEqual({
      id: latest, version: 2, status: 'graded', is_late: true, score: 40.5, percentage: 36.45, submitted_at: expect.any(String), graded_at: expect.any(String),
    });
    expect((await call('GET', `/students/${b}/exams`)).data.items[0]).toMatchObject({ attempt: { status: 'abandoned' }, submission: null });
  });

  it.each([['voided', '/void', {}], ['resubmission_required', '/grade', { score: -1 }]])('is shown no score of a submission that was graded and is %s', async (status, path, body) => {
    const [a = ''] = await createStudents(1);
    const { id: examId } = await createExam({ group_ids: [await createGroup([a])] });
    const id = await seedSubmission(api, institution, { examId, studentId: a }, { status: 'graded', score: 40, percentage: 40 });
    const shown = async () => (await call('GET', `/students/${a}/exams`)).data.items[0].submission;
    expect(await shown()).toMatchObject({ id, status: 'graded', score: 40, percentage: 40, graded_at: expect.any(String) });
    expect((await call('POST', `/submissions/${id}${path}`, body)).status).toBe(200);
    expect(await shown()).toMatchObject({ id, status, score: null, percentage: null, graded_at: null });
  });

  it('that is unknown, foreign or no student is 404', async () => {
    const otherInstitution = await api.institution();
    const [a = ''] = await createStudents(1);
    expect(errorSummary(await call('GET', `/students/${a}/exams`, undefined, otherInstitution))).toEqual([404, 'not_found']);
    for (const id of ['stu_unknown', institution.adminId]) expect(errorSummary(await call('GET', `/students/${id}/exams`))).toEqual([404, 'not_found']);
  });
});

describe('a faculty member', () => {
  // Contract: faculty.exams.query, faculty.exams.owned
  it('owns exams in every state, listed newest first, page by page', async () => {
    const { id, login_email } = (await call('POST', '/faculty', { full_name: 'Grace Hopper' })).data;
    await createExam();
    const made: string[] = [];
    for (const status of ['draft', 'published', 'closed'] as const) made.unshift((await createExamWithStatus(status, { faculty_id: id })).id);
    const pages = [await listAt(`/faculty/${id}/exams`, { limit: 2 }), await listAt(`/faculty/${login_email}/exams`, { limit: 2, page: 2 })];
    expect(pages.map(idsOf)).toEqual([made.slice(0, 2), made.slice(2)]);
    expect(pages.map(({ data: { total, has_more } }) => [total, has_more])).toEqual([[3, true], [3, false]]);
    expect(pages.flatMap(({ data }) => data.items)).toEqual((await listExams()).data.items.slice(0, 3));
  });

  it('keeps them when suspended, until they are given to another', async () => {
    const { id } = (await call('POST', '/faculty', { full_name: 'Grace Hopper' })).data;
    const exam = await createExam({ faculty_id: id });
    await call('PATCH', `/faculty/${id}`, { status: 'suspended' });
    expect((await call('PATCH', `/exams/${exam.id}`, { title: 'Other' })).data.faculty_id).toBe(id);
    await call('PATCH', `/exams/${exam.id}`, { faculty_id: institution.adminId });
    expect([idsOf(await listAt(`/faculty/${id}/exams`, {})), idsOf(await listAt(`/faculty/${institution.adminId}/exams`, {}))]).toEqual([[], [exam.id]]);
  });

  it('that is unknown, foreign or no faculty member is 404', async () => {
    const otherInstitution = await api.institution();
    const [student = ''] = await createStudents(1);
    for (const id of ['fac_unknown', otherInstitution.adminId, student]) expect(errorSummary(await call('GET', `/faculty/${id}/exams`))).toEqual([404, 'not_found']);
  });
});
