import { errorSummary } from '../../../support/responses';
import { appFixture } from '../../../support/appFixture';

const { sql, call, studentWithAttempt, requestAttempt, submit, signedInStudent, examFor, startAttempt, callAs } = appFixture();
const minute = 60_000;
const conflict = [409, 'conflict'];
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

const patch = async (examId: string, body: object) => expect((await call('PATCH', `/exams/${examId}`, body)).status).toBe(200);
const timesOf = async (attemptId: string) => {
  const [row] = await sql<{ started_at: Date; expires_at: Date | null }>('SELECT started_at, expires_at FROM attempts WHERE id = $1', [attemptId]);
  return { started: row?.started_at.getTime() ?? 0, ends: row?.expires_at?.getTime() ?? null };
};
const runOf = async (examId: string) => (await sql<{ run: number; open: boolean; next_at: Date | null }>('SELECT run, open, next_at FROM attempt_expiries WHERE exam_id = $1', [examId]))[0];

it('an attempt in progress ends by the terms that a PATCH gives the exam; resuming it returns them', async () => {
  const { who, examId, attemptId } = await studentWithAttempt({ time_limit_minutes: 30 });
  const { started } = await timesOf(attemptId);
  const due = inMs(40 * minute);
  const steps: [object, number | null][] = [
    [{ time_limit_minutes: 90 }, started + 90 * minute],
    [{ due_date: due, allow_late_submission: false }, Date.parse(due)],
    [{ allow_late_submission: true }, started + 90 * minute],
    [{ time_limit_minutes: null }, null],
    [{ time_limit_minutes: 10 }, started + 10 * minute],
  ];
  for (const [terms, ends] of steps) {
    await patch(examId, terms);
    expect([terms, (await timesOf(attemptId)).ends]).toEqual([terms, ends]);
    const { data } = await requestAttempt(who, examId);
    expect([data.resumed, data.expires_at]).toEqual([true, ends === null ? null : new Date(ends).toISOString()]);
    if (ends !== null) expect((await runOf(examId))?.next_at?.getTime()).toBeLessThanOrEqual(ends);
  }
});

it('an end that a PATCH gives is waited for where none was', async () => {
  const { examId, attemptId } = await studentWithAttempt();
  expect(await runOf(examId)).toBeUndefined();
  await patch(examId, { time_limit_minutes: 30 });
  expect(await runOf(examId)).toEqual({ run: 1, open: true, next_at: new Date((await timesOf(attemptId)).ends ?? 0) });
});

it('terms by which an attempt would be over end it now, not before', async () => {
  const { who, examId, attemptId } = await studentWithAttempt({ time_limit_minutes: 30 });
  await sql("UPDATE attempts SET started_at = started_at - interval '20 minutes' WHERE id = $1", [attemptId]);
  const before = Date.now();
  await patch(examId, { time_limit_minutes: 5 });
  const { ends } = await timesOf(attemptId);
  expect(ends).toBeGreaterThanOrEqual(before);
  expect(ends).toBeLessThanOrEqual(Date.now());
  expect(errorSummary(await submit(who, attemptId))).toEqual(conflict);
});

it('what is over stays over, and other changes move nothing', async () => {
  const over = await studentWithAttempt({ time_limit_minutes: 30 });
  const ended = new Date(Date.now() - 5);
  await sql('UPDATE attempts SET expires_at = $2 WHERE id = $1', [over.attemptId, ended]);
  await patch(over.examId, { time_limit_minutes: 90 });
  expect((await timesOf(over.attemptId)).ends).toBe(ended.getTime());
  const submitted = await studentWithAttempt({ time_limit_minutes: 30 });
  const { started } = await timesOf(submitted.attemptId);
  await submit(submitted.who, submitted.attemptId);
  await patch(submitted.examId, { time_limit_minutes: 90 });
  expect((await timesOf(submitted.attemptId)).ends).toBe(started + 30 * minute);
  const same = await studentWithAttempt({ time_limit_minutes: 30 });
  await sql("UPDATE attempts SET expires_at = expires_at + interval '1 minute' WHERE id = $1", [same.attemptId]);
  const { ends } = await timesOf(same.attemptId);
  await patch(same.examId, { title: 'Geometry', time_limit_minutes: 30, late_penalty_percentage: 5 });
  expect((await timesOf(same.attemptId)).ends).toBe(ends);
});

it('a run that was ended by hand is followed by the next: at an attempt, or at the close', async () => {
  const [ada, grace] = [await signedInStudent(), await signedInStudent()];
  const { id: examId } = await examFor([ada, grace], { time_limit_minutes: 60 });
  await startAttempt(ada, examId);
  const late = (minutes: number) => sql("UPDATE attempt_expiries SET next_at = now() - $2 * interval '1 minute' WHERE exam_id = $1", [examId, minutes]);
  await late(14);
  await startAttempt(grace, examId);
  expect(await runOf(examId)).toMatchObject({ run: 1, open: true });
  await late(16);
  await call('POST', `/exams/${examId}/close`);
  expect(await runOf(examId)).toMatchObject({ run: 2, open: true });
});

it('the key of the hidden tests stays where it is once the exam is closed', async () => {
  const { who, examId, attemptId } = await studentWithAttempt();
  await call('PUT', `/exams/${examId}/code-secret`, { hidden_key_b64: Buffer.alloc(32, 5).toString('base64') });
  await call('POST', `/exams/${examId}/close`);
  expect(errorSummary(await callAs(who, 'POST', `/app/attempts/${attemptId}/hidden-tests/release`))).toEqual(conflict);
  expect(await sql('SELECT hidden_released_at FROM attempts WHERE id = $1', [attemptId])).toEqual([{ hidden_released_at: null }]);
});
