import { idsOf, errorSummary } from '../../support/responses';
import { examFixtureForEachTest } from '../../support/examFixture';
import { seedExamAttempt, seedSubmission } from '../../support/examAttempts';

const desk = examFixtureForEachTest();
const attempts = (examId: string, query: Record<string, string | number> = {}) => desk.list(query, `/exams/${examId}/attempts`);

describe('GET /exams/{id}/attempts', () => {
  // Contract: attempts.record.fields, exams.attempts.response
  it('lists who started and when, the latest first, with what came of it', async () => {
    const [a = '', b = ''] = await desk.students(2);
    const examId = (await desk.exam()).id;
    const startedAt = new Date('2026-01-01T08:00:00.000Z');
    const expiresAt = new Date('2026-01-01T09:00:00.000Z');
    const early = await seedExamAttempt(desk.api, desk.institution, { examId, studentId: a }, { status: 'abandoned', startedAt, expiresAt });
    const running = await seedExamAttempt(desk.api, desk.institution, { examId, studentId: b }, { startedAt: new Date('2026-01-01T10:00:00.000Z') });
    await desk.sql("UPDATE attempts SET hidden_released_at = '2026-01-01T10:30:00.000Z' WHERE id = $1", [running]);
    const submissionId = await seedSubmission(desk.api, desk.institution, { examId, studentId: a });
    const { data } = await attempts(examId);
    const [email = ''] = (await desk.sql<{ login_email: string }>('SELECT login_email FROM institution_emails WHERE user_id = $1', [a])).map((row) => row.login_email);
    expect(data.items.map((one: { status: string }) => one.status)).toEqual(['submitted', 'in_progress', 'abandoned']);
    expect(data.items[0]).toMatchObject({ student_id: a, submission_id: submissionId });
    expect(data.items[1]).toMatchObject({ id: running, student_id: b, expires_at: null, hidden_released_at: '2026-01-01T10:30:00.000Z', ended_at: null, submission_id: null });
    expect(data.items[2]).toEqual({
      id: early,
      student_id: a,
      student_email: email,
      status: 'abandoned',
      started_at: startedAt.toISOString(),
      expires_at: expiresAt.toISOString(),
      hidden_released_at: null,
      ended_at: expect.any(String),
      submission_id: null,
    });
  });

  it('pages with the exact total, of this exam alone', async () => {
    const students = await desk.students(3);
    const [one, other] = [(await desk.exam()).id, (await desk.exam()).id];
    const made: string[] = [];
    for (const studentId of students) made.unshift(await seedExamAttempt(desk.api, desk.institution, { examId: one, studentId }));
    await seedExamAttempt(desk.api, desk.institution, { examId: other, studentId: students[0] ?? '' });
    const pages = [await attempts(one, { limit: 2 }), await attempts(one, { limit: 2, page: 2 })];
    expect(pages.map(idsOf)).toEqual([made.slice(0, 2), made.slice(2)]);
    expect(pages.map(({ data: { total, has_more } }) => [total, has_more])).toEqual([[3, true], [3, false]]);
  });
});

it('attempts, scores and analytics are read with submissions:read, not with exams:write; of an unknown exam they are 404', async () => {
  const { id } = await desk.exam();
  const [reader, writer] = [await desk.api.keyFor(desk.institution, ['submissions:read']), await desk.api.keyFor(desk.institution, ['exams:write'])];
  const south = await desk.api.institution();
  for (const what of ['attempts', 'scores', 'analytics']) {
    expect((await desk.api.call('GET', `/exams/${id}/${what}`, { key: reader })).status).toBe(200);
    expect(errorSummary(await desk.api.call('GET', `/exams/${id}/${what}`, { key: writer }))).toEqual([403, 'insufficient_scope']);
    for (const [asked, who] of [['exm_unknown', desk.institution], [id, south]] as const) {
      expect(errorSummary(await desk.call('GET', `/exams/${asked}/${what}`, undefined, who))).toEqual([404, 'not_found']);
    }
  }
});
