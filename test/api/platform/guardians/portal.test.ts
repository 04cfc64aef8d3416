import { newId } from '../../../../domain/ids';
import { openSession } from '../../../../domain/signIn/sessions';
import { transact } from '../../../../domain/transact';
import { systemCaller, type TestInstitution } from '../../../support/api';
import { seedSubmission } from '../../../support/seed/submissions';
import { seedGuardian } from '../../../support/seed/guardians';
import { newGuardianEmail } from '../../../support/guardians';
import { apiFixture } from '../../../support/apiFixture';
import { submissionCalls } from '../../../support/submissionCalls';

const fixture = apiFixture();
const { api, institution, sql, call, createExam, createGroup, createStudents } = fixture;
const { attemptFile, grade, voidSubmission } = submissionCalls(fixture);

/** A session of the guardian of a link, as signing in opens it. */
async function sessionOf(linkId: string, { id }: TestInstitution = institution): Promise<string> {
  const [row] = await sql<{ guardian_id: string }>('SELECT guardian_id FROM guardian_links WHERE id = $1', [linkId]);
  return (await transact(api.api.domain, systemCaller(id), (tx) => openSession(tx, row?.guardian_id ?? '', 'guardian'))).token;
}

/** A guardian of these students, signed in. */
async function guardianOf(...studentIds: string[]): Promise<string> {
  const address = newGuardianEmail();
  const links = [];
  for (const studentId of studentIds) links.push(await seedGuardian(api, institution, studentId, address));
  return sessionOf(links[0] ?? '');
}

const get = async (session: string, path = '/guardian/students', query = {}) => (await api.platform('GET', path, { key: session, query }));
const students = async (session: string, query = {}) => (await get(session, '/guardian/students', query)).data;
const submissionOf = (session: string, id: string) => get(session, `/guardian/submissions/${id}`);
const examsOf = async (session: string, id: string, query = {}) => (await get(session, `/guardian/students/${id}/exams`, query)).data;

/** An exam that these students see. */
const examFor = async (studentIds: readonly string[], body: object = {}) => createExam({ group_ids: [await createGroup(studentIds)], ...body });

const seedReport = (studentId: string, week: string, minutes = 60) =>
  sql(
    `INSERT INTO weekly_reports (id, institution_id, student_id, week, minutes, days_met, points, points_balance, concepts_mastered, streak_days, badges, created_at)
     VALUES ($1, $2, $3, $4, $5, 3, 10, 120, 2, 4, '{first_mastery}', now())`,
    [newId('rep'), institution.id, studentId, week, minutes],
  );

// Contract: guardians.portal.sees-results-and-reports
it('shows a student with exams, grades, submissions, files and reports', async () => {
  const { data: student } = await call('POST', '/students', { full_name: 'Ada Lovelace' });
  const exam = await examFor([student.id], { title: 'Algebra', due_date: '2099-01-15T12:00:00Z', max_score: 60 });
  const id = await seedSubmission(api, institution, { examId: exam.id, studentId: student.id });
  const [attempt] = await sql<{ attempt_id: string }>('SELECT attempt_id FROM submissions WHERE id = $1', [id]);
  const attachment = await attemptFile(attempt?.attempt_id ?? '', 'attachment', 'essay.pdf');
  await sql('INSERT INTO submission_attachments (submission_id, position, file_id, institution_id, name) VALUES ($1, 1, $2, $3, $4)', [id, attachment, institution.id, 'my essay.pdf']);
  await sql('UPDATE submissions SET text = $2 WHERE id = $1', [id, 'The derivative is 2x.']);
  await grade(id, { score: 45, feedback: 'Well done' });
  await seedReport(student.id, '2026-11-16', 175);
  const session = await guardianOf(student.id);
  const { items, ...page } = await students(session);
  expect(page).toEqual({ page: 1, limit: 20, total: 1, has_more: false, next_cursor: null });
  const [followed] = items;
  expect(followed).toMatchObject({ id: student.id, full_name: 'Ada Lovelace', login_email: student.login_email });
  expect(followed.exams).toMatchObject([{
    id: exam.id, title: 'Algebra', exam_type: 'exam', status: 'published', max_score: 60, due_date: '2099-01-15T12:00:00.000Z',
    submissions: [{
      id, version: 1, status: 'graded', is_late: false, feedback: 'Well done', score_detail: { score: 45, max_score: 60, percentage: 75, late_penalty_percentage: 0 },
      attachments: [{ id: attachment, name: 'my essay.pdf', size: 5 }],
    }],
  }]);
  expect(followed.weekly_reports).toMatchObject([{ week_start: '2026-11-16', week_end: '2026-11-22', minutes: 175, days_met: 3, points: 10, points_balance: 120, concepts_mastered: 2, streak_days: 4, badges: ['first_mastery'] }]);
  expect((await examsOf(session, student.id)).items).toMatchObject(followed.exams.map(({ id: examId }: { id: string }) => ({ id: examId })));
  expect((await get(session, `/guardian/students/${encodeURIComponent(student.login_email)}/reports`)).data.items).toEqual(followed.weekly_reports);
  const [exams] = followed.exams;
  const [version] = exams.submissions;
  expect(version).not.toHaveProperty('text');
  const { data: submission } = await submissionOf(session, id);
  const signed = version.attachments.map(() => ({ url: expect.any(String), url_expires_at: expect.any(String) }));
  expect(submission).toMatchObject({ ...version, attachments: signed, exam_id: exam.id, student_id: student.id, text: 'The derivative is 2x.' });
});

it('shows the text of every version of an exam that the student sees; nobody else\'s, nor after the link has gone', async () => {
  const [mine = '', unverified = '', others = ''] = await createStudents(3);
  const address = newGuardianEmail();
  const link = await seedGuardian(api, institution, mine, address);
  const session = await sessionOf(link);
  await seedGuardian(api, institution, unverified, address, 'unverified');
  const exam = await examFor([mine, unverified, others]);
  const unseen = await createExam({ group_ids: [await createGroup([others])] });
  const otherInstitution = await api.institution();
  const foreignGuardian = await (async () => {
    const { data: student } = await call('POST', '/students', {}, otherInstitution);
    return sessionOf(await seedGuardian(api, otherInstitution, student.id, address), otherInstitution);
  })();
  const first = await seedSubmission(api, institution, { examId: exam.id, studentId: mine }, { status: 'resubmission_required' });
  const second = await seedSubmission(api, institution, { examId: exam.id, studentId: mine }, { version: 2 });
  await sql("UPDATE submissions SET text = 'version ' || version WHERE student_id = $1", [mine]);
  expect((await submissionOf(session, first)).data).toMatchObject({ version: 1, text: 'version 1', score_detail: null });
  expect((await submissionOf(session, second)).data).toMatchObject({ version: 2, text: 'version 2' });
  const hidden = [
    await seedSubmission(api, institution, { examId: exam.id, studentId: unverified }),
    await seedSubmission(api, institution, { examId: exam.id, studentId: others }),
    await seedSubmission(api, institution, { examId: unseen.id, studentId: mine }),
    'sub_unknown',
  ];
  for (const id of hidden) expect([id, (await submissionOf(session, id)).body.error]).toEqual([id, 'not_found']);
  expect((await submissionOf(foreignGuardian, first)).body.error).toBe('not_found');
  await seedGuardian(api, institution, others, address);
  await call('DELETE', `/guardians/${link}`);
  expect((await submissionOf(session, first)).body.error).toBe('not_found');
});

it('signs files for one hour: they are fetched without a session, and not after', async () => {
  const [studentId = ''] = await createStudents(1);
  const exam = await examFor([studentId]);
  const id = await seedSubmission(api, institution, { examId: exam.id, studentId });
  const [attempt] = await sql<{ attempt_id: string }>('SELECT attempt_id FROM submissions WHERE id = $1', [id]);
  const attachment = await attemptFile(attempt?.attempt_id ?? '', 'attachment', 'essay.txt');
  await sql('INSERT INTO submission_attachments (submission_id, position, file_id, institution_id, name) VALUES ($1, 1, $2, $3, $4)', [id, attachment, institution.id, 'essay.txt']);
  const { items } = await examsOf(await guardianOf(studentId), studentId);
  const [signed] = items[0].submissions[0].attachments;
  expect((Date.parse(signed.url_expires_at) - Date.now()) / 60_000).toBeCloseTo(60, 0);
  const url = new URL(signed.url);
  const fetched = await fetch(api.baseUrl + url.pathname.replace('/v1', '') + url.search);
  expect([fetched.status, await fetched.text()]).toEqual([200, 'hello']);
  url.searchParams.set('expires', String(Math.floor(Date.now() / 1_000) - 1));
  expect((await fetch(api.baseUrl + url.pathname.replace('/v1', '') + url.search)).status).not.toBe(200);
});

// Contract: proctoring.recordings.hidden-from-guardians
it('never shows a recording, nor that there is one, though it stands among the attachments', async () => {
  const [studentId = ''] = await createStudents(1);
  const exam = await examFor([studentId]);
  const id = await seedSubmission(api, institution, { examId: exam.id, studentId });
  const [attempt] = await sql<{ attempt_id: string }>('SELECT attempt_id FROM submissions WHERE id = $1', [id]);
  const recording = await attemptFile(attempt?.attempt_id ?? '', 'recording', 'sensitive-segment.webm');
  await sql('INSERT INTO submission_attachments (submission_id, position, file_id, institution_id, name) VALUES ($1, 1, $2, $3, $4)', [id, recording, institution.id, 'sensitive-segment.webm']);
  const session = await guardianOf(studentId);
  for (const answer of [await students(session), await examsOf(session, studentId), (await submissionOf(session, id)).data]) {
    expect(JSON.stringify(answer)).toContain(id);
    expect(JSON.stringify(answer)).not.toMatch(new RegExp(`${recording}|sensitive-segment|recordings|proctoring|segments`));
  }
});

it('shows every version, the newest first, and a score only while it counts', async () => {
  const [studentId = ''] = await createStudents(1);
  const exam = await examFor([studentId]);
  const of = { examId: exam.id, studentId };
  const first = await seedSubmission(api, institution, of);
  await grade(first, { score: -1, feedback: 'Page two is missing' });
  const second = await seedSubmission(api, institution, of, { version: 2 });
  const session = await guardianOf(studentId);
  const versions = async () => (await examsOf(session, studentId)).items[0].submissions;
  expect(await versions()).toMatchObject([
    { id: second, version: 2, status: 'submitted', score_detail: null, graded_at: null, feedback: null },
    { id: first, version: 1, status: 'resubmission_required', score_detail: null, feedback: 'Page two is missing' },
  ]);
  await grade(second, { score: 80 });
  expect((await versions())[0]).toMatchObject({ status: 'graded', score_detail: { score: 80 } });
  await voidSubmission(second);
  expect((await versions())[0]).toMatchObject({ status: 'voided', score_detail: null, graded_at: null });
});

it('shows the exams that the student sees, and of submissions those of the student alone', async () => {
  const [ada = '', bob = ''] = await createStudents(2);
  const shared = await examFor([ada, bob]);
  await examFor([ada], { publish: false });
  await examFor([bob]);
  for (const studentId of [ada, bob]) await seedSubmission(api, institution, { examId: shared.id, studentId });
  const { items } = await examsOf(await guardianOf(ada), ada);
  expect(items.map(({ id }: { id: string }) => id)).toEqual([shared.id]);
  expect(items[0].submissions).toHaveLength(1);
});

it('shows the students of verified links alone: nobody else is found', async () => {
  const [mine = '', unverified = '', others = ''] = await createStudents(3);
  const otherInstitution = await api.institution();
  const { data: foreign } = await call('POST', '/students', {}, otherInstitution);
  const address = newGuardianEmail();
  const session = await sessionOf(await seedGuardian(api, institution, mine, address));
  await seedGuardian(api, institution, unverified, address, 'unverified');
  await seedGuardian(api, otherInstitution, foreign.id, address);
  await seedGuardian(api, institution, others, newGuardianEmail());
  expect((await students(session)).items.map(({ id }: { id: string }) => id)).toEqual([mine]);
  for (const id of [unverified, others, foreign.id, foreign.login_email, 'stu_unknown']) {
    for (const list of ['exams', 'reports']) {
      const { status, body } = await get(session, `/guardian/students/${encodeURIComponent(id)}/${list}`);
      expect([id, list, status, body.error]).toEqual([id, list, 404, 'not_found']);
    }
  }
});

it('goes in pages: students, exams, reports', async () => {
  const ids = await createStudents(3);
  const session = await guardianOf(...ids);
  expect(await students(session, { limit: 2, page: 2 })).toMatchObject({ items: [{ id: ids[0] }], page: 2, limit: 2, total: 3, has_more: false });
  expect((await get(session, '/guardian/students', { limit: 21 })).body.issues).toMatchObject([{ path: 'limit' }]);
  const [studentId = ''] = ids;
  const exams = [await examFor([studentId]), await examFor([studentId]), await examFor([studentId])];
  expect(await examsOf(session, studentId, { limit: 2 })).toMatchObject({ items: [{ id: exams[2].id }, { id: exams[1].id }], total: 3, has_more: true });
  const weeks = Array.from({ length: 10 }, (_, nth) => new Date(Date.UTC(2026, 8, 7 + 7 * nth)).toISOString().slice(0, 10));
  for (const week of weeks) await seedReport(studentId, week);
  const { data } = await get(session, `/guardian/students/${studentId}/reports`, { limit: 3, page: 2 });
  expect(data).toMatchObject({ total: 10, has_more: true, items: weeks.slice(4, 7).reverse().map((week_start) => ({ week_start })) });
  const [, , followed] = (await students(session)).items;
  expect([followed.exams.length, followed.weekly_reports.length, followed.weekly_reports[0].week_start]).toEqual([3, 8, weeks[9]]);
});

it('is for guardians alone', async () => {
  const [studentId = ''] = await createStudents(1);
  const { token } = await transact(api.api.domain, systemCaller(institution.id), (tx) => openSession(tx, studentId, 'student'));
  for (const key of [token, api.settings.platformToken]) expect((await get(key)).body.error).toBe('forbidden');
  expect((await api.platform('GET', '/app/exams', { key: await guardianOf(studentId) })).body.error).toBe('forbidden');
});
