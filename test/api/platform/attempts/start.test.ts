import { errorSummary } from '../../../support/responses';
import { fullSpec, hiddenTestsIn } from '../../../support/codingExams';
import { seedFile } from '../../../support/seed/files';
import { seedExamAttempt, seedSubmission } from '../../../support/seed/submissions';
import { appFixture, type SignedInStudent } from '../../../support/appFixture';
import { eventsDuring } from '../../../support/events';

const { api, institution, sql, call, signedInStudent, examFor, requestAttempt, attemptFeed, studentWithAttempt, callAs, createGroup, createExamWithStatus, createExam, attemptStatuses, submit, startAttempt } = appFixture();
const minute = 60_000;
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const conflict = [409, 'conflict'];
const isSoon = (time: string, at: number) => expect(Math.abs(Date.parse(time) - at)).toBeLessThan(10_000);

// Contract: attempts.record.fields, proctoring.events.attempt-lifecycle, events.exam-attempt-started
it('starts an attempt: it is in progress, in its feed, and announced as exam.attempt_started', async () => {
  const who = await signedInStudent();
  const { id: exam_id } = await examFor([who]);
  let attempt: Record<string, unknown> = {};
  const events = await eventsDuring(api, institution, async () => {
    attempt = (await requestAttempt(who, exam_id)).data;
  });
  expect(attempt).toEqual({
    id: expect.stringMatching(/^att_/), exam_id, student_id: who.id, started_at: expect.any(String), expires_at: null,
    hidden_released_at: null, status: 'in_progress', resumed: false, code_spec: null,
  });
  const { id: attempt_id, started_at } = attempt;
  expect(events).toEqual([{ type: 'exam.attempt_started', data: { attempt_id, exam_id, student_id: who.id, started_at, expires_at: null } }]);
  expect(await attemptFeed(String(attempt_id))).toEqual([{ id: 'service:started', type: 'attempt_started', at: new Date(String(started_at)), detail: null }]);
});

// Contract: proctoring.events.attempt-lifecycle
it('resumes the attempt in progress without an event; each time is in the feed', async () => {
  const { who, examId, attemptId } = await studentWithAttempt({ time_limit_minutes: 30 });
  const first = (await callAs(who, 'GET', `/app/exams/${examId}`)).data.attempt;
  const events = await eventsDuring(api, institution, async () => {
    for (let n = 0; n < 2; n += 1) {
      expect((await requestAttempt(who, examId)).data).toMatchObject({ id: attemptId, resumed: true, status: 'in_progress', started_at: first.started_at, expires_at: first.expires_at });
    }
  });
  expect(events).toEqual([]);
  expect((await attemptFeed(attemptId)).map(({ id, type }) => [id, type])).toEqual([
    ['service:started', 'attempt_started'], ['service:resumed:1', 'attempt_resumed'], ['service:resumed:2', 'attempt_resumed'],
  ]);
});

it('resumes an attempt any number of times; the first thousand are in the feed', async () => {
  const { who, examId, attemptId } = await studentWithAttempt();
  await sql('UPDATE attempts SET resumes = 998 WHERE id = $1', [attemptId]);
  for (let n = 0; n < 4; n += 1) expect((await requestAttempt(who, examId)).data).toMatchObject({ id: attemptId, resumed: true, status: 'in_progress' });
  expect((await attemptFeed(attemptId)).map(({ id }) => id)).toEqual(['service:started', 'service:resumed:999', 'service:resumed:1000']);
  expect(await sql('SELECT resumes FROM attempts WHERE id = $1', [attemptId])).toEqual([{ resumes: 1_000 }]);
});

describe('an attempt is over', () => {
  // Contract: exams.time-limit.starts-on-open
  it('after the time limit', async () => {
    const who = await signedInStudent();
    const { id } = await examFor([who], { time_limit_minutes: 90, due_date: inMs(1_000 * minute), allow_late_submission: false });
    const { started_at, expires_at } = (await requestAttempt(who, id)).data;
    expect(Date.parse(expires_at) - Date.parse(started_at)).toBe(90 * minute);
  });

  it('at the due date where nothing may be late, regardless of the time limit', async () => {
    const who = await signedInStudent();
    const due_date = inMs(20 * minute);
    const { id } = await examFor([who], { time_limit_minutes: 90, due_date, allow_late_submission: false });
    expect((await requestAttempt(who, id)).data.expires_at).toBe(due_date);
  });

  it('never, without a time limit, where something may be late', async () => {
    const who = await signedInStudent();
    const { id } = await examFor([who], { due_date: inMs(20 * minute), allow_late_submission: true });
    expect((await requestAttempt(who, id)).data.expires_at).toBeNull();
  });
});

it('hands the coding spec over with the attempt, its files with URLs', async () => {
  const who = await signedInStudent();
  const hidden = await seedFile(api, institution);
  const { id } = await examFor([who], { code_spec: { ...fullSpec, hidden_tests: hiddenTestsIn(hidden) } });
  for (const resumed of [false, true]) {
    const { data } = await requestAttempt(who, id);
    expect(data).toMatchObject({ resumed, code_spec: { brief_md: fullSpec.brief_md, hidden_tests: { file: { id: hidden.id } } } });
    const { url_expires_at } = data.code_spec.hidden_tests.file;
    isSoon(url_expires_at, Date.now() + 60 * minute);
    expect(data.code_spec).toEqual({ ...(await callAs(who, 'GET', `/app/exams/${id}`)).data.code_spec, hidden_tests: data.code_spec.hidden_tests });
  }
});

describe('is refused', () => {
  it('for an exam that the student does not see', async () => {
    const [ada, grace] = [await signedInStudent(), await signedInStudent()];
    const group = await createGroup([ada.id]);
    const hidden = [await createExamWithStatus('draft', { group_ids: [group] }), await createExam(), await examFor([grace]), { id: 'exm_01jd4k6f2mep2s5xg5yhc8m1zz' }];
    for (const { id } of hidden) expect(errorSummary(await requestAttempt(ada, id))).toEqual([404, 'not_found']);
  });

  it('for the exam of another institution', async () => {
    const otherInstitution = await api.institution();
    const foreign = (await call('POST', '/exams', { faculty_id: otherInstitution.adminId, title: 'Theirs' }, otherInstitution)).data.id;
    expect(errorSummary(await requestAttempt(await signedInStudent(), foreign))).toEqual([404, 'not_found']);
  });

  it('for a closed exam, to resume too', async () => {
    const { who, examId } = await studentWithAttempt();
    await call('POST', `/exams/${examId}/close`);
    expect(errorSummary(await requestAttempt(who, examId))).toEqual(conflict);
    const other = await signedInStudent();
    const closed = await createExamWithStatus('closed', { group_ids: [await createGroup([other.id])] });
    expect(errorSummary(await requestAttempt(other, closed.id))).toEqual(conflict);
  });

  it('past the due date where nothing may be late; where something may, it starts', async () => {
    const who = await signedInStudent();
    const past = inMs(-minute);
    expect(errorSummary(await requestAttempt(who, (await examFor([who], { due_date: past, allow_late_submission: false })).id))).toEqual(conflict);
    expect((await requestAttempt(who, (await examFor([who], { due_date: past, allow_late_submission: true })).id)).status).toBe(200);
  });

  // Contract: proctoring.events.attempt-lifecycle
  it('when the time of the attempt has run out, which is then noted as of that moment', async () => {
    const who = await signedInStudent();
    const { id: examId } = await examFor([who], { time_limit_minutes: 30 });
    const expiresAt = new Date(Date.now() - 5_000);
    const attemptId = await seedExamAttempt(api, institution, { examId, studentId: who.id }, { startedAt: new Date(Date.now() - 31 * minute), expiresAt });
    const events = await eventsDuring(api, institution, async () => {
      for (let n = 0; n < 2; n += 1) expect(errorSummary(await requestAttempt(who, examId))).toEqual(conflict);
    });
    expect(events).toEqual([]);
    expect(await attemptStatuses(who, examId)).toEqual(['abandoned']);
    expect(await attemptFeed(attemptId)).toEqual([{ id: 'service:abandoned', type: 'attempt_abandoned', at: expiresAt, detail: { reason: 'expired' } }]);
  });

  it('when the exam was closed before the time ran out, which is then noted as of the close', async () => {
    const { who, examId, attemptId } = await studentWithAttempt({ time_limit_minutes: 30 });
    await sql("UPDATE attempts SET started_at = now() - interval '1 hour', expires_at = now() - interval '1 minute' WHERE id = $1", [attemptId]);
    const closedAt = new Date(Date.now() - 2 * minute);
    await sql("UPDATE exams SET status = 'closed', closed_at = $2 WHERE id = $1", [examId, closedAt]);
    expect(errorSummary(await requestAttempt(who, examId))).toEqual(conflict);
    expect((await attemptFeed(attemptId)).find(({ type }) => type === 'attempt_abandoned')).toEqual({ id: 'service:abandoned', type: 'attempt_abandoned', at: closedAt, detail: { reason: 'closed' } });
  });

  it.each(['submitted', 'graded'] as const)('after a submission that is %s', async (status) => {
    const who = await signedInStudent();
    const { id: examId } = await examFor([who]);
    await seedSubmission(api, institution, { examId, studentId: who.id }, { status, ...(status === 'graded' ? { score: 5, percentage: 5 } : {}) });
    expect(errorSummary(await requestAttempt(who, examId))).toEqual(conflict);
    expect(await attemptStatuses(who, examId)).toEqual(['submitted']);
  });
});

it.each(['resubmission_required', 'voided'] as const)('starts a new attempt after a submission that is %s', async (status) => {
  const who = await signedInStudent();
  const { id: examId } = await examFor([who]);
  await seedSubmission(api, institution, { examId, studentId: who.id }, { status });
  expect((await requestAttempt(who, examId)).data).toMatchObject({ resumed: false });
  expect(await attemptStatuses(who, examId)).toEqual(['submitted', 'in_progress']);
});

describe('after an attempt that ran out of time', () => {
  const handedIn = async (): Promise<{ who: SignedInStudent; examId: string; submissionId: string }> => {
    const { who, examId, attemptId } = await studentWithAttempt({ time_limit_minutes: 30 });
    return { who, examId, submissionId: (await submit(who, attemptId)).data.id };
  };
  const again = (submissionId: string) => call('POST', `/submissions/${submissionId}/grade`, { score: -1 });
  const annul = (submissionId: string) => call('POST', `/submissions/${submissionId}/void`, {});
  /** Has the attempt in progress run out, noted or not. */
  const runOut = (examId: string, noted: boolean) =>
    sql(
      "UPDATE attempts SET expires_at = now(), status = $2, ended_at = CASE WHEN $2 = 'abandoned' THEN now() END WHERE exam_id = $1 AND status = 'in_progress'",
      [examId, noted ? 'abandoned' : 'in_progress'],
    );

  it.each(['noted', 'not noted'])('starts a new attempt once its submission is asked for again (%s)', async (which) => {
    const { who, examId, submissionId } = await handedIn();
    for (let round = 0; round < 2; round += 1) {
      expect((await again(submissionId)).status).toBe(200);
      expect((await requestAttempt(who, examId)).data).toMatchObject({ resumed: false, status: 'in_progress' });
      await runOut(examId, which === 'noted');
      if (round === 1) expect(errorSummary(await requestAttempt(who, examId))).toEqual(conflict);
    }
    expect(await attemptStatuses(who, examId)).toEqual(['submitted', 'abandoned', 'abandoned']);
  });

  it('starts a new attempt once its submission, graded after all, is voided', async () => {
    const { who, examId, submissionId } = await handedIn();
    await again(submissionId);
    await startAttempt(who, examId);
    await runOut(examId, true);
    expect((await call('POST', `/submissions/${submissionId}/grade`, { score: 5 })).status).toBe(200);
    expect(errorSummary(await requestAttempt(who, examId))).toEqual(conflict);
    expect((await annul(submissionId)).status).toBe(200);
    expect((await requestAttempt(who, examId)).data).toMatchObject({ resumed: false });
  });

  it.each([
    ['asked for again', again],
    ['voided', async (submissionId: string) => {
      expect((await call('POST', `/submissions/${submissionId}/grade`, { score: 5 })).status).toBe(200);
      expect((await annul(submissionId)).status).toBe(200);
    }],
  ] as const)('starts a new attempt, once, where its submission was %s while it was under way', async (_what, change) => {
    const { who, examId, submissionId } = await handedIn();
    await again(submissionId);
    await startAttempt(who, examId);
    await change(submissionId);
    expect((await requestAttempt(who, examId)).data).toMatchObject({ resumed: true });
    await runOut(examId, false);
    expect((await requestAttempt(who, examId)).data).toMatchObject({ resumed: false, status: 'in_progress' });
    await runOut(examId, true);
    expect(errorSummary(await requestAttempt(who, examId))).toEqual(conflict);
    expect(await attemptStatuses(who, examId)).toEqual(['submitted', 'abandoned', 'abandoned']);
  });

  it.each([['asked for again', again], ['voided', annul]] as const)('stays over where its submission was %s before', async (_what, change) => {
    const { who, examId, submissionId } = await handedIn();
    await change(submissionId);
    await startAttempt(who, examId);
    await runOut(examId, true);
    expect(errorSummary(await requestAttempt(who, examId))).toEqual(conflict);
  });
});

it('makes one attempt of twenty that ask at once: one starts it, the others resume it', async () => {
  const who = await signedInStudent();
  const { id } = await examFor([who], { time_limit_minutes: 30 });
  const events = await eventsDuring(api, institution, async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => requestAttempt(who, id)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
    expect(answers.filter(({ data }) => data.resumed === false)).toHaveLength(1);
  });
  expect(events).toHaveLength(1);
  expect(await attemptStatuses(who, id)).toEqual(['in_progress']);
});
