import { idsOf, errorSummary } from '../../support/responses';
import { apiFixture } from '../../support/apiFixture';
import { seedExamAttempt, seedSubmission } from '../../support/seed/submissions';

const { api, institution, sql, call, listAt, createStudents, createExam } = apiFixture();
const attempts = (examId: string, query: Record<string, string | number> = {}) => listAt(`/exams/${examId}/attempts`, query);

describe('GET /exams/{id}/attempts', () => {
  // Contract: attempts.record.fields, exams.attempts.response
  it('lists who started and when, the latest first, with what came of it', async () => {
    const [a = '', b = ''] = await createStudents(2);
    const examId = (await createExam()).id;
    const startedAt = new Date('2026-01-01T08:00:00.000Z');
    const expiresAt = new Date('2026-01-01T09:00:00.000Z');
    const early = await seedExamAttempt(api, institution, { examId, studentId: a }, { status: 'abandoned', startedAt, expiresAt });
    const running = await seedExamAttempt(api, institution, { examId, studentId: b }, { startedAt: new Date('2026-01-01T10:00:00.000Z') });
    await sql("UPDATE attempts SET hidden_released_at = '2026-01-01T10:30:00.000Z' WHERE id = $1", [running]);
    const submissionId = await seedSubmission(api, institution, { examId, studentId: a });
    const { data } = await attempts(examId);
    const [email = ''] = (await sql<{ login_email: string }>('SELECT login_email FROM institution_emails WHERE user_id = $1', [a])).map((row) => row.login_email);
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
    const students = await createStudents(3);
    const [one, other] = [(await createExam()).id, (await createExam()).id];
    const made: string[] = [];
    for (const studentId of students) made.unshift(await seedExamAttempt(api, institution, { examId: one, studentId }));
    await seedExamAttempt(api, institution, { examId: other, studentId: students[0] ?? '' });
    const pages = [await attempts(one, { limit: 2 }), await attempts(one, { limit: 2, page: 2 })];
    expect(pages.map(idsOf)).toEqual([made.slice(0, 2), made.slice(2)]);
    expect(pages.map(({ data: { total, has_more } }) => [total, has_more])).toEqual([[3, true], [3, false]]);
  });
});

it('attempts, scores and analytics are read with submissions:read, not with exams:write; of an unknown exam they are 404', async () => {
  const { id } = await createExam();
  const [reader, writer] = [await api.keyFor(institution, ['submissions:read']), await api.keyFor(institution, ['exams:write'])];
  const otherInstitution = await api.institution();
  for (const what of ['attempts', 'scores', 'analytics']) {
    expect((await api.call('GET', `/exams/${id}/${what}`, { key: reader })).status).toBe(200);
    expect(errorSummary(await api.call('GET', `/exams/${id}/${what}`, { key: writer }))).toEqual([403, 'insufficient_scope']);
    for (const [asked, who] of [['exm_unknown', institution], [id, otherInstitution]] as const) {
      expect(errorSummary(await call('GET', `/exams/${asked}/${what}`, undefined, who))).toEqual([404, 'not_found']);
    }
  }
});
