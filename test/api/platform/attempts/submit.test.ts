import { errorSummary } from '../../../support/responses';
import { fullSpec } from '../../../support/codingExams';
import { appFixture, issuePaths, type SignedInStudent } from '../../../support/appFixture';
import { seedAttemptFile } from '../../../support/seed/files';
import { eventsDuring } from '../../../support/events';

const fixture = appFixture();
const { sql, call, studentWithAttempt, submit, attemptFeed, attemptStatuses, startAttempt, callAs, signedInStudent } = fixture;
const minute = 60_000;
const ago = (ms: number) => new Date(Date.now() - ms);
const conflict = [409, 'conflict'];

const submissionsOf = (who: SignedInStudent, examId: string) =>
  sql<{ version: number; status: string; is_late: boolean }>('SELECT version, status, is_late FROM submissions WHERE exam_id = $1 AND student_id = $2 ORDER BY version', [examId, who.id]);
const patch = (examId: string, body: object) => call('PATCH', `/exams/${examId}`, body);

// Contract: submissions.ai-usage.reported-at-submit, proctoring.events.submitted-detail, submissions.states.submitted, submissions.submit.event
// Contract: events.exam-submitted.every-version
it('submits an attempt: the first version, in the feed, announced as exam.submitted; the attempt is over', async () => {
  const { who, examId, attemptId } = await studentWithAttempt();
  let version: Record<string, unknown> = {};
  const events = await eventsDuring(fixture.api, fixture.institution, async () => {
    version = (await submit(who, attemptId, { text: ' The answer\nis 42. ', ai_usage_data: { total_interactions: 3, models_used: ['local-7b'] } })).data;
  });
  const { id: submission_id, submitted_at } = version;
  expect(version).toEqual({ id: expect.stringMatching(/^sub_/), exam_id: examId, student_id: who.id, attempt_id: attemptId, version: 1, status: 'submitted', is_late: false, submitted_at: expect.any(String) });
  expect(events).toEqual([{ type: 'exam.submitted', data: { submission_id, exam_id: examId, student_id: who.id, version: 1, is_late: false } }]);
  expect((await attemptFeed(attemptId)).at(-1)).toEqual({ id: 'service:submitted', type: 'submitted', at: new Date(String(submitted_at)), detail: { submission_id } });
  expect(await attemptStatuses(who, examId)).toEqual(['submitted']);
  expect(await sql('SELECT text, ai_usage_data FROM submissions WHERE id = $1', [submission_id])).toEqual([
    { text: 'The answer\nis 42.', ai_usage_data: { total_interactions: 3, models_used: ['local-7b'] } },
  ]);
});

it('takes a submission of nothing', async () => {
  for (const body of [{}, { text: null, ai_usage_data: null, attachments: [] }, { text: '' }]) {
    const { who, attemptId } = await studentWithAttempt();
    expect((await submit(who, attemptId, body)).status).toBe(200);
  }
});

// Contract: submissions.version.increments-and-stays-readable, submissions.resubmit.new-version
it('counts versions up, each from an attempt of its own; earlier ones stay as they are', async () => {
  const { who, examId, attemptId } = await studentWithAttempt();
  const ids = [(await submit(who, attemptId)).data.id];
  for (const status of ['resubmission_required', 'voided', 'resubmission_required'] as const) {
    await sql("UPDATE submissions SET status = $2, voided_at = CASE WHEN $2 = 'voided' THEN now() END WHERE id = $1", [ids.at(-1), status]);
    const { data } = await submit(who, await startAttempt(who, examId));
    expect(data).toMatchObject({ version: ids.length + 1 });
    ids.push(data.id);
  }
  expect((await submissionsOf(who, examId)).map(({ version, status }) => [version, status])).toEqual([
    [1, 'resubmission_required'], [2, 'voided'], [3, 'resubmission_required'], [4, 'submitted'],
  ]);
});

// Contract: exams.late-penalty.applied-automatically
it('is late after the due date, where that is allowed', async () => {
  const { who, examId, attemptId } = await studentWithAttempt({ due_date: new Date(Date.now() + minute), allow_late_submission: true });
  await patch(examId, { due_date: ago(1_000).toISOString() });
  const events = await eventsDuring(fixture.api, fixture.institution, async () => {
    expect((await submit(who, attemptId)).data.is_late).toBe(true);
  });
  expect(events).toMatchObject([{ type: 'exam.submitted', data: { is_late: true } }]);
});

it('without a body is refused: what hands in nothing says so', async () => {
  const { who, examId, attemptId } = await studentWithAttempt();
  const answer = await callAs(who, 'POST', `/app/attempts/${attemptId}/submit`);
  expect([errorSummary(answer), await attemptStatuses(who, examId)]).toEqual([[422, 'validation_error', ['body']], ['in_progress']]);
});

describe('is refused, and nothing is kept,', () => {
  const expectRefused = async (who: SignedInStudent, attemptId: string, answer: [number, string], body?: object) => {
    const kept = async () => [await attemptFeed(attemptId), await sql('SELECT to_jsonb(a) FROM attempts a WHERE id = $1', [attemptId]), await sql('SELECT id FROM submissions WHERE attempt_id = $1', [attemptId])];
    const before = await kept();
    const events = await eventsDuring(fixture.api, fixture.institution, async () => {
      expect(errorSummary(await submit(who, attemptId, body))).toEqual(answer);
    });
    expect([events, await kept()]).toEqual([[], before]);
  };

  it('the second time', async () => {
    const { who, attemptId } = await studentWithAttempt();
    await submit(who, attemptId);
    await expectRefused(who, attemptId, [409, 'conflict']);
  });

  it('once the exam is closed', async () => {
    const { who, examId, attemptId } = await studentWithAttempt();
    await call('POST', `/exams/${examId}/close`);
    await expectRefused(who, attemptId, [409, 'conflict']);
  });

  it('once the time has run out, noted or not', async () => {
    const { who, attemptId } = await studentWithAttempt({ time_limit_minutes: 10 });
    await sql('UPDATE attempts SET expires_at = $2 WHERE id = $1', [attemptId, ago(1)]);
    await expectRefused(who, attemptId, [409, 'conflict']);
    await sql("UPDATE attempts SET status = 'abandoned', ended_at = expires_at WHERE id = $1", [attemptId]);
    await expectRefused(who, attemptId, [409, 'conflict']);
  });

  it('with a way out that exists: another exam where nothing was handed in, a request or a void where something was', async () => {
    const timedOut = await studentWithAttempt({ time_limit_minutes: 10 });
    await sql('UPDATE attempts SET expires_at = $2 WHERE id = $1', [timedOut.attemptId, ago(1)]);
    const { body: late } = await submit(timedOut.who, timedOut.attemptId);
    expect(late.message).toMatch(/^The attempt ended before it was handed in\..*without one, create another exam for a group of this student\.$/);
    const started = await callAs(timedOut.who, 'POST', `/app/exams/${timedOut.examId}/attempts`);
    expect(started.body.message).toMatch(/^The time of the attempt is over\..*without one, create another exam for a group of this student\.$/);
    const handedIn = await studentWithAttempt();
    await submit(handedIn.who, handedIn.attemptId);
    expect((await submit(handedIn.who, handedIn.attemptId)).body.message).toMatch(/^The attempt is over: it has been handed in\. .*\(a grade of -1\) or the submission is voided\.$/);
  });

  it('past the due date where nothing may be late any more', async () => {
    const { who, examId, attemptId } = await studentWithAttempt({ due_date: ago(minute).toISOString(), allow_late_submission: true });
    await sql('UPDATE exams SET allow_late_submission = false WHERE id = $1', [examId]);
    await expectRefused(who, attemptId, [409, 'conflict']);
  });

  it("for another student's attempt, another institution's and none", async () => {
    const { attemptId } = await studentWithAttempt();
    const other = await signedInStudent();
    for (const id of [attemptId, 'att_01jd4k6f2mep2s5xg5yhc8m1zz']) expect(errorSummary(await submit(other, id))).toEqual([404, 'not_found']);
  });
});

describe('attachments', () => {
  it('are kept in their order under their names', async () => {
    const { who, attemptId } = await studentWithAttempt();
    const [essay, sketch] = [await seedAttemptFile(fixture.api, fixture.institution, attemptId), await seedAttemptFile(fixture.api, fixture.institution, attemptId)];
    const attachments = [{ file: { id: sketch }, name: 'sketch.png' }, { file: { id: essay }, name: 'essay.pdf' }];
    const { data } = await submit(who, attemptId, { attachments });
    const rows = await sql<{ file_id: string; name: string }>('SELECT file_id, name FROM submission_attachments WHERE submission_id = $1 ORDER BY position', [data.id]);
    expect(rows.map(({ file_id, name }) => ({ file: { id: file_id }, name }))).toEqual(attachments);
  });

  it('must be stored attachments of this attempt: every other file is one that does not exist', async () => {
    const { who, attemptId } = await studentWithAttempt();
    const other = await studentWithAttempt();
    const { api, institution } = fixture;
    const refused = [
      await seedAttemptFile(api, institution, attemptId, { kind: 'recording' }),
      await seedAttemptFile(api, institution, attemptId, { status: 'storing' }),
      await seedAttemptFile(api, institution, attemptId, { status: 'removed' }),
      await seedAttemptFile(api, institution, other.attemptId),
      'file_01jd4k6f2mep2s5xg5yhc8m1zz',
    ];
    const answer = await submit(who, attemptId, { attachments: [...refused, await seedAttemptFile(api, institution, attemptId)].map((id, nth) => ({ file: { id }, name: `${nth}.txt` })) });
    expect(errorSummary(answer)).toEqual([422, 'validation_error', refused.map((_id, nth) => `attachments.${nth}.file.id`)]);
    expect(new Set(answer.body.issues.map(({ message }: { message: string }) => message.replace(/^\S+ /, ''))).size).toBe(1);
  });

  // Contract: submissions.ai-usage.coding-transcript, submissions.coding.attachments
  it('have in a coding exam the names that it knows', async () => {
    const { who, attemptId } = await studentWithAttempt({ code_spec: fullSpec });
    const named = async (...names: string[]) => {
      const attachments = [];
      for (const name of names) attachments.push({ file: { id: await seedAttemptFile(fixture.api, fixture.institution, attemptId) }, name });
      return submit(who, attemptId, { attachments });
    };
    expect(issuePaths(await named('workspace.zip', 'essay.pdf'))).toEqual(['attachments.1.name']);
    expect((await named('workspace.zip', 'transcript.json', 'test-results.json')).status).toBe(200);
  });

  it('have plain filenames; the error suggests one', async () => {
    const { who, attemptId } = await studentWithAttempt();
    const id = await seedAttemptFile(fixture.api, fixture.institution, attemptId);
    const named = (name: string) => submit(who, attemptId, { attachments: [{ file: { id }, name }] });
    const refused: [string, string | undefined][] = [
      ['../../../etc/cron.d/x', 'x'], ['/etc/passwd', 'passwd'], ['essays/one.pdf', 'one.pdf'], ['..\\..\\run.bat', 'run.bat'], ['C:\\run.bat', 'run.bat'],
      ['report\u202efdp.exe', 'reportfdp.exe'], ['a\u2028b.txt', 'ab.txt'], ['\u2066a.txt\u2069', 'a.txt'], ['essays/', undefined], ['/', undefined], ['..', undefined], ['.', undefined],
    ];
    for (const [name, kept] of refused) {
      const answer = await named(name);
      expect([name, issuePaths(answer)]).toEqual([name, ['attachments.0.name']]);
      expect(answer.body.issues[0].message).toContain(kept === undefined ? 'must have a filename' : `: ${kept} `);
    }
    expect((await named(' Aufsatz „Größe“ — 数学 (2).tar.gz ')).status).toBe(200);
    expect(await sql('SELECT name FROM submission_attachments WHERE file_id = $1', [id])).toEqual([{ name: 'Aufsatz „Größe“ — 数学 (2).tar.gz' }]);
  });

  it('are twenty at most', async () => {
    const { who, attemptId } = await studentWithAttempt();
    const attachments: object[] = [];
    for (let nth = 0; nth < 21; nth += 1) attachments.push({ file: { id: await seedAttemptFile(fixture.api, fixture.institution, attemptId) }, name: `${nth}` });
    expect(issuePaths(await submit(who, attemptId, { attachments }))).toEqual(['attachments']);
    expect((await submit(who, attemptId, { attachments: attachments.slice(1) })).status).toBe(200);
  });
});

describe('ai_usage_data', () => {
  const document = { total_interactions: 2, models_used: [] };
  const coding = {
    kind: 'svccode',
    v: 1,
    tests: { sample: { passed: 3, failed: 1 }, hidden: { passed: 8, failed: 2, hidden_zip_sha256: 'a'.repeat(64), workspace_sha256: 'B'.repeat(64) } },
    timing: { started_at: '2026-11-20T09:30:00.000Z', hidden_released_at: null, submitted_at: '2026-11-20T10:30:00.000Z' },
    focus: { lost_count: 2, lost_seconds: 12.5 },
    toolchain: 'python',
    app: { name: 'svccode', version: '2.4.1', platform: 'linux-x64' },
    total_interactions: 4,
    models_used: ['local-7b', 'cloud-large'],
  };
  const submittedUsage = async (spec: object, ai_usage_data: unknown) => {
    const { who, attemptId } = await studentWithAttempt(spec);
    const answer = await submit(who, attemptId, { ai_usage_data });
    const [row] = await sql<{ ai_usage_data: unknown }>('SELECT ai_usage_data FROM submissions WHERE attempt_id = $1', [attemptId]);
    return { paths: answer.status === 200 ? [] : issuePaths(answer), kept: row?.ai_usage_data };
  };
  const codingExam = { code_spec: fullSpec };

  // Contract: submissions.ai-usage.reported-at-submit, submissions.coding.ai-usage-kind, submissions.coding.ai-usage-fields
  it('is stored as reported: for a coding exam everything of the list', async () => {
    expect(await submittedUsage(codingExam, coding)).toEqual({ paths: [], kept: coding });
    expect(await submittedUsage(codingExam, { ...coding, tests: { sample: null, hidden: null } })).toMatchObject({ paths: [] });
  });

  // Contract: submissions.coding.ai-usage-kind
  it('must be that of the kind of exam', async () => {
    expect(await submittedUsage({}, coding)).toEqual({ paths: ['ai_usage_data.kind'], kept: undefined });
    expect(await submittedUsage(codingExam, document)).toEqual({ paths: ['ai_usage_data.kind'], kept: undefined });
  });

  it('is refused with the path of every problem', async () => {
    const wrong = { ...coding, v: 2, focus: { lost_count: -1, lost_seconds: 'x' }, tests: { sample: {}, hidden: { ...coding.tests.hidden, workspace_sha256: 'x' } }, extra: 1 };
    expect((await submittedUsage(codingExam, wrong)).paths.map((path: string) => path.replace('ai_usage_data.', '')).sort()).toEqual([
      'extra', 'focus.lost_count', 'focus.lost_seconds', 'tests.hidden.workspace_sha256', 'tests.sample.failed', 'tests.sample.passed', 'v',
    ]);
    for (const lost_seconds of [5e-324, 9e-7, -0.5, 86_400.5]) expect((await submittedUsage(codingExam, { ...coding, focus: { lost_count: 2, lost_seconds } })).paths).toEqual(['ai_usage_data.focus.lost_seconds']);
    for (const lost_seconds of [0, 0.000001, 86_400]) expect((await submittedUsage(codingExam, { ...coding, focus: { lost_count: 2, lost_seconds } })).paths).toEqual([]);
    expect((await submittedUsage({}, { total_interactions: 1.5, models_used: Array(51).fill('m') })).paths.sort()).toEqual(['ai_usage_data.models_used', 'ai_usage_data.total_interactions']);
    expect((await submittedUsage({}, 'much')).paths).toEqual(['ai_usage_data']);
  });
});

it('takes 200,000 characters of text, and not one more', async () => {
  const { who, attemptId } = await studentWithAttempt();
  expect(issuePaths(await submit(who, attemptId, { text: 'é'.repeat(200_001) }))).toEqual(['text']);
  expect(issuePaths(await submit(who, attemptId, { text: 'a\u0007b' }))).toEqual(['text']);
  expect((await submit(who, attemptId, { text: 'é'.repeat(200_000) })).status).toBe(200);
});

it('lets one of twenty that submit at once win; the others are a conflict', async () => {
  const { who, examId, attemptId } = await studentWithAttempt();
  const events = await eventsDuring(fixture.api, fixture.institution, async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => submit(who, attemptId)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 200).map(errorSummary)).toEqual(Array(19).fill(conflict));
  });
  expect(events).toHaveLength(1);
  expect(await submissionsOf(who, examId)).toHaveLength(1);
  expect((await attemptFeed(attemptId)).filter(({ type }) => type === 'submitted')).toHaveLength(1);
});
