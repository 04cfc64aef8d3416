import { randomBytes } from 'node:crypto';
import { idsOf, errorSummary } from '../../support/responses';
import { fullSpec, hiddenTestsIn } from '../../support/codingExams';
import { seedFile } from '../../support/seed/files';
import { seedExamAttempt, seedSubmission, type AttemptFields } from '../../support/seed/submissions';
import { apiFixture } from '../../support/apiFixture';
import { signInByMail } from '../../support/signInCodes';

const { api, institution, sql, call, createExam, createGroup, createExamWithStatus } = apiFixture();

interface SignedIn {
  id: string;
  session: string;
}

/** A new student who has signed in by a code that came by mail. */
async function student(): Promise<SignedIn> {
  const { data } = await call('POST', '/students', { personal_email: `${randomBytes(6).toString('hex')}@mail.example` });
  const { answer } = await signInByMail(api, data.login_email);
  return { id: data.id, session: answer.data.session };
}

const as = ({ session }: SignedIn, method: string, path: string, query = {}) => api.platform(method, path, { key: session, query });
const seen = async (who: SignedIn, query = {}) => as(who, 'GET', '/app/exams', query);
const release = (who: SignedIn, attempt: string) => as(who, 'POST', `/app/attempts/${attempt}/hidden-tests/release`);
const asIso = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

/** An exam assigned to a group of these students. */
const assigned = async (students: readonly SignedIn[], body: object = {}) => createExam({ group_ids: [await createGroup(students.map(({ id }) => id))], ...body });

describe('the exams in the app', () => {
  // Contract: exams.visibility.published-and-assigned
  it('are those that are published, or closed since, and assigned to a group of the student', async () => {
    const [ada, other] = [await student(), await student()];
    const group = await createGroup([ada.id]);
    const [published, closed] = [await createExam({ group_ids: [group] }), await createExamWithStatus('closed', { group_ids: [group] })];
    const hidden = [await createExamWithStatus('draft', { group_ids: [group] }), await createExam(), await assigned([other])];
    expect(idsOf(await seen(ada))).toEqual([closed.id, published.id]);
    for (const { id } of hidden) expect(errorSummary(await as(ada, 'GET', `/app/exams/${id}`))).toEqual([404, 'not_found']);
    expect((await as(ada, 'GET', `/app/exams/${closed.id}`)).data.status).toBe('closed');
  });

  it('come once, regardless of how many groups the student shares with them, and in pages, newest first', async () => {
    const ada = await student();
    const groups = [await createGroup([ada.id]), await createGroup([ada.id])];
    const ids = [];
    for (let n = 0; n < 3; n += 1) ids.unshift((await createExam({ group_ids: groups })).id);
    expect(idsOf(await seen(ada))).toEqual(ids);
    const { data } = await seen(ada, { page: 2, limit: 2 });
    expect([data.items.length, data.total, data.has_more]).toEqual([1, 3, false]);
  });

  it('go when the student leaves the group, or the group the exam', async () => {
    const ada = await student();
    const [group, other] = [await createGroup([ada.id]), await createGroup([ada.id])];
    const [exam, unassigned] = [await createExam({ group_ids: [group] }), await createExam({ group_ids: [group, other] })];
    await call('DELETE', `/groups/${group}/members/${ada.id}`);
    expect(idsOf(await seen(ada))).toEqual([unassigned.id]);
    await call('DELETE', `/exams/${unassigned.id}/assignments/${other}`);
    expect(idsOf(await seen(ada))).toEqual([]);
    expect((await as(ada, 'GET', `/app/exams/${exam.id}`)).status).toBe(404);
  });

  it("have the student's own latest attempt and submission, and nobody else's", async () => {
    const [ada, grace] = [await student(), await student()];
    const { id: examId } = await assigned([ada, grace]);
    await seedSubmission(api, institution, { examId, studentId: grace.id }, { status: 'graded', score: 3, percentage: 3 });
    expect((await seen(ada)).data.items).toMatchObject([{ id: examId, attempt: null, submission: null }]);
    await seedExamAttempt(api, institution, { examId, studentId: ada.id }, { status: 'abandoned', startedAt: new Date('2026-01-01T00:00:00Z') });
    const attempt = await seedExamAttempt(api, institution, { examId, studentId: ada.id });
    expect((await seen(ada)).data.items).toMatchObject([{ attempt: { id: attempt, status: 'in_progress', hidden_released_at: null }, submission: null }]);
  });

  it('are for sessions of students alone: nobody is unauthorized, every other role forbidden', async () => {
    const { id } = await createExam();
    const calls = [['GET', '/app/exams'], ['GET', `/app/exams/${id}`], ['POST', '/app/attempts/att_1/hidden-tests/release']] as const;
    const teacher = (await call('POST', '/faculty', { full_name: 'Grace' })).data;
    const { answer } = await signInByMail(api, teacher.login_email);
    const statuses = async (key: string | undefined) => (await Promise.all(calls.map(([method, path]) => api.platform(method, path, { key })))).map(errorSummary);
    expect(await statuses(undefined)).toEqual(Array(3).fill([401, 'unauthorized']));
    expect(await statuses(institution.apiKey)).toEqual(Array(3).fill([401, 'unauthorized']));
    expect((await api.platform('GET', '/search', { key: institution.apiKey })).body.message).toContain('it is for the public API, /v1, at another port or host.');
    expect(await statuses(api.settings.platformToken)).toEqual(Array(3).fill([403, 'forbidden']));
    expect(await statuses(answer.data.session)).toEqual(Array(3).fill([403, 'forbidden']));
  });

  it('are gone with the session when the student is suspended', async () => {
    const ada = await student();
    await call('POST', `/students/${ada.id}/suspend`);
    expect((await seen(ada)).status).toBe(401);
  });
});

describe('a coding exam in the app', () => {
  const bytes = { starter: randomBytes(300), sample: randomBytes(200), hidden: randomBytes(100) };

  async function codingExam(...students: SignedIn[]) {
    const [starter, sample, hidden] = [
      await seedFile(api, institution, { bytes: bytes.starter }),
      await seedFile(api, institution, { bytes: bytes.sample }),
      await seedFile(api, institution, { bytes: bytes.hidden }),
    ];
    const code_spec = { ...fullSpec, starter: { kind: 'zip', file: { id: starter.id } }, sample_tests: { kind: 'zip', file: { id: sample.id } }, hidden_tests: hiddenTestsIn(hidden) };
    const exam = await assigned(students, { code_spec });
    return { id: exam.id as string, code_spec };
  }

  it('shows its spec once an attempt has started, not before', async () => {
    const ada = await student();
    const { id } = await codingExam(ada);
    expect((await as(ada, 'GET', `/app/exams/${id}`)).data).toMatchObject({ id, app: 'svccode', code_spec: null, attempt: null });
    await seedExamAttempt(api, institution, { examId: id, studentId: ada.id });
    expect((await as(ada, 'GET', `/app/exams/${id}`)).data.code_spec).toMatchObject({ brief_md: fullSpec.brief_md, commands: fullSpec.commands });
    expect(JSON.stringify((await seen(ada)).data)).not.toContain('code_spec');
  });

  it("does not show it for another student's attempt", async () => {
    const [ada, grace] = [await student(), await student()];
    const exam = await assigned([ada, grace], { code_spec: fullSpec });
    await seedExamAttempt(api, institution, { examId: exam.id, studentId: grace.id });
    expect((await as(ada, 'GET', `/app/exams/${exam.id}`)).data.code_spec).toBeNull();
  });

  it('has URLs that say whose they are, the same each time a student asks', async () => {
    const [ada, grace] = [await student(), await student()];
    const { id } = await codingExam(ada, grace);
    const readerOf = async (who: typeof ada): Promise<string> => {
      const { data } = await as(who, 'GET', `/app/exams/${id}`);
      return new URL(data.code_spec.starter.file.url).searchParams.get('reader')?.slice(0, 16) ?? '';
    };
    for (const { id: studentId } of [ada, grace]) await seedExamAttempt(api, institution, { examId: id, studentId });
    const [first, second, other] = [await readerOf(ada), await readerOf(ada), await readerOf(grace)];
    expect(first).toMatch(/^[0-9a-f]{16}$/);
    expect([second === first, other === first]).toEqual([true, false]);
  });

  // Contract: code-spec.sample-tests.visible-to-student, limits.attachment-urls.one-hour
  it('has each file with a URL that serves its bytes to everybody who has it, for one hour', async () => {
    const ada = await student();
    const { id, code_spec } = await codingExam(ada);
    await seedExamAttempt(api, institution, { examId: id, studentId: ada.id });
    const { starter, sample_tests, hidden_tests } = (await as(ada, 'GET', `/app/exams/${id}`)).data.code_spec;
    expect({ starter, sample_tests, hidden_tests }).toMatchObject({ starter: code_spec.starter, sample_tests: code_spec.sample_tests, hidden_tests: code_spec.hidden_tests });
    for (const [part, content] of [[starter, bytes.starter], [sample_tests, bytes.sample], [hidden_tests, bytes.hidden]]) {
      expect((Date.parse(part.file.url_expires_at) - Date.now()) / 60_000).toBeCloseTo(60, 0);
      const response = await fetch(part.file.url.replace(api.settings.publicBaseUrl, api.baseUrl));
      expect([response.status, Buffer.from(await response.arrayBuffer())]).toEqual([200, content]);
    }
  });

  // Contract: hidden-tests.key.never-in-spec, hidden-tests.key.write-only-for-students
  it('never has the key of its hidden tests, before its release or after it', async () => {
    const ada = await student();
    const { id } = await codingExam(ada);
    const key = randomBytes(32).toString('base64');
    await call('PUT', `/exams/${id}/code-secret`, { hidden_key_b64: key });
    const attempt = await seedExamAttempt(api, institution, { examId: id, studentId: ada.id });
    const answers = async () => JSON.stringify([(await seen(ada)).body, (await as(ada, 'GET', `/app/exams/${id}`)).body]);
    expect(await answers()).not.toContain(key);
    expect((await release(ada, attempt)).data.hidden_key_b64).toBe(key);
    expect(await answers()).not.toContain(key);
  });
});

describe('the release of the hidden tests to an attempt', () => {
  const key = Buffer.alloc(32, 5).toString('base64');

  async function attemptOf(who: SignedIn, { secret = key, ...fields }: Partial<AttemptFields> & { secret?: string | null } = {}) {
    const { id: examId } = await assigned([who], { code_spec: fullSpec });
    if (secret !== null) await call('PUT', `/exams/${examId}/code-secret`, { hidden_key_b64: secret });
    return { examId: examId as string, id: await seedExamAttempt(api, institution, { examId, studentId: who.id }, fields) };
  }
  const status = async (examId: string) => (await call('GET', `/exams/${examId}/code-secret/status`)).data;
  const feed = (id: string) => sql<{ type: string; at: Date }>('SELECT type, at FROM attempt_events WHERE attempt_id = $1', [id]);

  // Contract: hidden-tests.release.once-per-attempt, attempts.record.fields, proctoring.events.coding-tests
  it('hands the key over and stamps the attempt, its feed and the record of the key with one moment', async () => {
    const ada = await student();
    const { examId, id } = await attemptOf(ada, { expiresAt: new Date(Date.now() + 60_000) });
    const { status: code, data } = await release(ada, id);
    expect([code, data]).toEqual([200, { hidden_key_b64: key, hidden_released_at: asIso }]);
    const at = data.hidden_released_at;
    expect((await as(ada, 'GET', `/app/exams/${examId}`)).data.attempt.hidden_released_at).toBe(at);
    expect((await feed(id)).map((event) => [event.type, event.at.toISOString()])).toEqual([['hidden_tests_released', at]]);
    const { release_count, releases } = await status(examId);
    expect([release_count, releases]).toEqual([1, [{ attempt_id: id, student_id: ada.id, released_at: at, by: 'app' }]]);
  });

  // Contract: hidden-tests.release.once-per-attempt
  it('happens once: again it is a conflict, which changes nothing', async () => {
    const ada = await student();
    const { examId, id } = await attemptOf(ada);
    const first = (await release(ada, id)).data;
    await call('PUT', `/exams/${examId}/code-secret`, { hidden_key_b64: Buffer.alloc(32, 6).toString('base64') });
    expect(errorSummary(await release(ada, id))).toEqual([409, 'conflict']);
    expect([(await feed(id)).length, (await status(examId)).release_count]).toEqual([1, 1]);
    expect((await as(ada, 'GET', `/app/exams/${examId}`)).data.attempt.hidden_released_at).toBe(first.hidden_released_at);
  });

  it('asked for ten times at once: exactly one gets it', async () => {
    const ada = await student();
    const { examId, id } = await attemptOf(ada);
    const answers = await Promise.all(Array.from({ length: 10 }, () => release(ada, id)));
    expect(answers.map(({ status: code }) => code).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
    expect([(await feed(id)).length, (await status(examId)).release_count]).toEqual([1, 1]);
  });

  it('happens again for each attempt, regardless of earlier releases to an integration or to others', async () => {
    const [ada, grace] = [await student(), await student()];
    const { examId, id } = await attemptOf(ada);
    await call('POST', `/exams/${examId}/code-secret/release`);
    await call('POST', `/exams/${examId}/assignments`, { group_ids: [await createGroup([grace.id])] });
    const other = await seedExamAttempt(api, institution, { examId, studentId: grace.id });
    expect([(await release(ada, id)).status, (await release(grace, other)).status]).toEqual([200, 200]);
    await sql("UPDATE attempts SET status = 'abandoned', ended_at = now() WHERE id = $1", [id]);
    const second = await seedExamAttempt(api, institution, { examId, studentId: ada.id });
    expect((await release(ada, second)).data.hidden_key_b64).toBe(key);
    expect((await status(examId)).releases.map(({ attempt_id }: { attempt_id: string }) => attempt_id)).toEqual([second, other, id, null]);
  });

  it('is refused once the student does not see the exam any more: out of its groups, or the exam taken back', async () => {
    const [ada, grace] = [await student(), await student()];
    const [{ examId, id }, other] = [await attemptOf(ada), await attemptOf(grace)];
    const groupsOf = async (exam: string): Promise<string[]> => (await call('GET', `/exams/${exam}/assignments`)).data.items.map((group: { id: string }) => group.id);
    for (const group of await groupsOf(examId)) await call('DELETE', `/groups/${group}/members/${ada.id}`);
    for (const group of await groupsOf(other.examId)) await call('DELETE', `/exams/${other.examId}/assignments/${group}`);
    expect([errorSummary(await release(ada, id)), errorSummary(await release(grace, other.id))]).toEqual([[404, 'not_found'], [404, 'not_found']]);
    expect([(await status(examId)).release_count, (await status(other.examId)).release_count]).toEqual([0, 0]);
  });

  it.each<[string, Partial<AttemptFields>]>([
    ['submitted', { status: 'submitted' }],
    ['abandoned', { status: 'abandoned' }],
    ['expired a moment ago, though nobody has closed it', { expiresAt: new Date(Date.now() - 1) }],
  ])('is a conflict for an attempt that has been %s', async (_what, fields) => {
    const ada = await student();
    const { examId, id } = await attemptOf(ada, fields);
    expect(errorSummary(await release(ada, id))).toEqual([409, 'conflict']);
    expect([await feed(id), (await status(examId)).release_count]).toEqual([[], 0]);
  });

  it('is no_secret while no key is set, and may be asked for again once it is', async () => {
    const ada = await student();
    const { examId, id } = await attemptOf(ada, { secret: null });
    expect([errorSummary(await release(ada, id)), await feed(id)]).toEqual([[404, 'no_secret'], []]);
    await call('PUT', `/exams/${examId}/code-secret`, { hidden_key_b64: key });
    expect((await release(ada, id)).data.hidden_key_b64).toBe(key);
  });

  it("is not_found for another student's attempt, one of another institution and an unknown one, with one body", async () => {
    const [ada, grace] = [await student(), await student()];
    const { id } = await attemptOf(grace);
    const otherInstitution = await api.institution();
    const foreign = await api.call('POST', '/exams', { key: otherInstitution.apiKey, body: { faculty_id: otherInstitution.adminId, title: 'South' } });
    const stranger = await api.call('POST', '/students', { key: otherInstitution.apiKey, body: {} });
    const southern = await seedExamAttempt(api, otherInstitution, { examId: foreign.data.id, studentId: stranger.data.id });
    const answers = [await release(ada, id), await release(ada, southern), await release(ada, 'att_01jd4k6f2mep2s5xg5yhc8m1zz')];
    expect(answers.map(errorSummary)).toEqual(Array(3).fill([404, 'not_found']));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await feed(id)).toEqual([]);
  });
});
