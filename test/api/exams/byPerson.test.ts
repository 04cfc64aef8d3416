import { idsOf, errorSummary } from '../../support/responses';
import { examFixtureForEachTest } from '../../support/examFixture';
import { seedExamAttempt, seedSubmission } from '../../support/examAttempts';

const desk = examFixtureForEachTest();
const seenBy = async (student: string): Promise<string[]> => idsOf(await desk.call('GET', `/students/${student}/exams`));

describe('a student', () => {
  // Contract: exams.visibility.published-and-assigned
  it('sees an exam once it is published and assigned to a group of theirs, and while it is', async () => {
    const [a = '', b = ''] = await desk.students(2);
    const [mine, other] = [await desk.group([a]), await desk.group([b])];
    const { id } = await desk.examWithStatus('draft', { group_ids: [mine] });
    expect(await seenBy(a)).toEqual([]);
    await desk.call('POST', `/exams/${id}/publish`);
    expect([await seenBy(a), await seenBy(b)]).toEqual([[id], []]);
    await desk.call('POST', `/exams/${id}/assignments`, { group_ids: [other] });
    expect(await seenBy(b)).toEqual([id]);
    await desk.call('DELETE', `/groups/${mine}/members/${a}`);
    expect(await seenBy(a)).toEqual([]);
    await desk.call('POST', `/groups/${mine}/members`, { student_ids: [a] });
    expect(await seenBy(a)).toEqual([id]);
    await desk.call('DELETE', `/exams/${id}/assignments/${mine}`);
    expect(await seenBy(a)).toEqual([]);
    await desk.call('DELETE', `/groups/${other}`);
    expect(await seenBy(b)).toEqual([]);
  });

  it('sees none that is published to nobody', async () => {
    const [a = ''] = await desk.students(1);
    await desk.group([a]);
    await desk.exam();
    expect(await seenBy(a)).toEqual([]);
  });

  it('still sees a closed one', async () => {
    const [a = ''] = await desk.students(1);
    const { id } = await desk.examWithStatus('closed', { group_ids: [await desk.group([a])] });
    expect((await desk.call('GET', `/students/${a}/exams`)).data.items).toMatchObject([{ id, status: 'closed' }]);
  });

  it('sees an exam of two of their groups once', async () => {
    const [a = ''] = await desk.students(1);
    const { id } = await desk.exam({ group_ids: [await desk.group([a]), await desk.group([a])] });
    expect((await desk.call('GET', `/students/${a}/exams`)).data).toMatchObject({ total: 1, items: [{ id }] });
  });

  it('is answered by login email as by id, page by page, newest first', async () => {
    const [a = ''] = await desk.students(1);
    const groupId = await desk.group([a]);
    const made: string[] = [];
    for (let n = 0; n < 3; n += 1) made.unshift((await desk.exam({ group_ids: [groupId] })).id);
    const { login_email } = (await desk.call('GET', `/students/${a}`)).data;
    const pages = [await desk.list({ limit: 2 }, `/students/${a}/exams`), await desk.list({ limit: 2, page: 2 }, `/students/${login_email.toUpperCase()}/exams`)];
    expect(pages.map(idsOf)).toEqual([made.slice(0, 2), made.slice(2)]);
    expect(pages.map(({ data: { total, has_more } }) => [total, has_more])).toEqual([[3, true], [3, false]]);
  });

  it('has attempt and submission null before the first', async () => {
    const [a = ''] = await desk.students(1);
    const exam = await desk.exam({ group_ids: [await desk.group([a])] });
    const { code_spec: _spec, groups: _groups, stats: _stats, code_secret_set: _set, ...summary } = exam;
    expect((await desk.call('GET', `/students/${a}/exams`)).data.items).toEqual([{ ...summary, attempt: null, submission: null }]);
  });

  // Contract: students.exams.submission-and-attempt-state
  it('has the latest attempt and the latest version, of their own alone', async () => {
    const [a = '', b = ''] = await desk.students(2);
    const { id: examId } = await desk.exam({ group_ids: [await desk.group([a, b])] });
    const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
    await seedExamAttempt(desk.api, desk.institution, { examId, studentId: a }, { status: 'abandoned', startedAt: minutesAgo(60) });
    await seedSubmission(desk.api, desk.institution, { examId, studentId: a }, { version: 1, status: 'resubmission_required' });
    const latest = await seedSubmission(desk.api, desk.institution, { examId, studentId: a }, { version: 2, status: 'graded', score: 40.5, percentage: 36.45, isLate: true });
    const expiresAt = new Date(Date.now() + 3_600_000);
    const startedAt = new Date(Date.now() + 60_000);
    const attempt = await seedExamAttempt(desk.api, desk.institution, { examId, studentId: a }, { startedAt, expiresAt });
    await seedExamAttempt(desk.api, desk.institution, { examId, studentId: b }, { status: 'abandoned' });
    const { data: { items: [seen] } } = await desk.call('GET', `/students/${a}/exams`);
    expect(seen.attempt).toEqual({ id: attempt, status: 'in_progress', started_at: startedAt.toISOString(), expires_at: expiresAt.toISOString(), hidden_released_at: null });
    expect(seen.submission).toEqual({
      id: latest, version: 2, status: 'graded', is_late: true, score: 40.5, percentage: 36.45, submitted_at: expect.any(String), graded_at: expect.any(String),
    });
    expect((await desk.call('GET', `/students/${b}/exams`)).data.items[0]).toMatchObject({ attempt: { status: 'abandoned' }, submission: null });
  });

  it.each([['voided', '/void', {}], ['resubmission_required', '/grade', { score: -1 }]])('is shown no score of a submission that was graded and is %s', async (status, path, body) => {
    const [a = ''] = await desk.students(1);
    const { id: examId } = await desk.exam({ group_ids: [await desk.group([a])] });
    const id = await seedSubmission(desk.api, desk.institution, { examId, studentId: a }, { status: 'graded', score: 40, percentage: 40 });
    const shown = async () => (await desk.call('GET', `/students/${a}/exams`)).data.items[0].submission;
    expect(await shown()).toMatchObject({ id, status: 'graded', score: 40, percentage: 40, graded_at: expect.any(String) });
    expect((await desk.call('POST', `/submissions/${id}${path}`, body)).status).toBe(200);
    expect(await shown()).toMatchObject({ id, status, score: null, percentage: null, graded_at: null });
  });

  it('that is unknown, foreign or no student is 404', async () => {
    const south = await desk.api.institution();
    const [a = ''] = await desk.students(1);
    expect(errorSummary(await desk.call('GET', `/students/${a}/exams`, undefined, south))).toEqual([404, 'not_found']);
    for (const id of ['stu_unknown', desk.institution.adminId]) expect(errorSummary(await desk.call('GET', `/students/${id}/exams`))).toEqual([404, 'not_found']);
  });
});

describe('a faculty member', () => {
  // Contract: faculty.exams.query, faculty.exams.owned
  it('owns exams in every state, listed newest first, page by page', async () => {
    const { id, login_email } = (await desk.call('POST', '/faculty', { full_name: 'Grace Hopper' })).data;
    await desk.exam();
    const made: string[] = [];
    for (const status of ['draft', 'published', 'closed'] as const) made.unshift((await desk.examWithStatus(status, { faculty_id: id })).id);
    const pages = [await desk.list({ limit: 2 }, `/faculty/${id}/exams`), await desk.list({ limit: 2, page: 2 }, `/faculty/${login_email}/exams`)];
    expect(pages.map(idsOf)).toEqual([made.slice(0, 2), made.slice(2)]);
    expect(pages.map(({ data: { total, has_more } }) => [total, has_more])).toEqual([[3, true], [3, false]]);
    expect(pages.flatMap(({ data }) => data.items)).toEqual((await desk.list()).data.items.slice(0, 3));
  });

  it('keeps them when suspended, until they are given to another', async () => {
    const { id } = (await desk.call('POST', '/faculty', { full_name: 'Grace Hopper' })).data;
    const exam = await desk.exam({ faculty_id: id });
    await desk.call('PATCH', `/faculty/${id}`, { status: 'suspended' });
    expect((await desk.call('PATCH', `/exams/${exam.id}`, { title: 'Other' })).data.faculty_id).toBe(id);
    await desk.call('PATCH', `/exams/${exam.id}`, { faculty_id: desk.institution.adminId });
    expect([idsOf(await desk.list({}, `/faculty/${id}/exams`)), idsOf(await desk.list({}, `/faculty/${desk.institution.adminId}/exams`))]).toEqual([[], [exam.id]]);
  });

  it('that is unknown, foreign or no faculty member is 404', async () => {
    const south = await desk.api.institution();
    const [student = ''] = await desk.students(1);
    for (const id of ['fac_unknown', south.adminId, student]) expect(errorSummary(await desk.call('GET', `/faculty/${id}/exams`))).toEqual([404, 'not_found']);
  });
});
