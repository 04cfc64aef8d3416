import { institutionScope } from '../../../db/database';
import { listExamScores } from '../../../db/repositories/exams/scores';
import { idsOf } from '../../support/responses';
import { apiFixture } from '../../support/apiFixture';
import { seedSubmission } from '../../support/seed/submissions';

const { api, institution, sql, call, listAt, createStudents, createExam, createGroup } = apiFixture();
const scores = (examId: string, query: Record<string, string | number> = {}) => listAt(`/exams/${examId}/scores`, query);
const seed = (examId: string, studentId: string, fields: Parameters<typeof seedSubmission>[3] = {}) => seedSubmission(api, institution, { examId, studentId }, fields);

/** An exam of so many students, in the order of their login emails. */
async function examOf(count: number, body: object = {}): Promise<{ examId: string; students: string[] }> {
  const students = await createStudents(count);
  return { examId: (await createExam({ group_ids: [await createGroup(students)], ...body })).id, students };
}

describe('GET /exams/{id}/scores', () => {
  // Contract: endpoints.list-exam-scores
  it('shows each assigned student with the latest version of their submission', async () => {
    const { examId, students: [a = '', b = ''] } = await examOf(2, { max_score: 60 });
    await sql("UPDATE users SET external_id = 'S-1001' WHERE id = $1", [a]);
    await seed(examId, a, { status: 'resubmission_required', isLate: true });
    const latest = await seed(examId, a, { version: 2, isLate: true });
    await call('POST', `/submissions/${latest}/grade`, { score: 45.5 });
    const { submitted_at, graded_at } = (await call('GET', `/submissions/${latest}`)).data;
    const { data } = await scores(examId);
    const email = expect.stringContaining(institution.loginDomain);
    expect(data.items).toEqual([
      { id: a, student_id: 'S-1001', email, status: 'graded', score: 45.5, max_score: 60, percentage: 75.83, is_late: true, submitted_at, graded_at },
      { id: b, student_id: null, email, status: 'not_submitted', score: null, max_score: 60, percentage: null, is_late: null, submitted_at: null, graded_at: null },
    ]);
  });

  it.each(['submitted', 'resubmission_required', 'voided'] as const)('shows no score of a submission that is %s, though it was graded before', async (status) => {
    const { examId, students: [a = ''] } = await examOf(1);
    const id = await seed(examId, a);
    if (status !== 'submitted') await call('POST', `/submissions/${id}/grade`, { score: 80 });
    if (status === 'voided') await call('POST', `/submissions/${id}/void`, {});
    if (status === 'resubmission_required') await call('POST', `/submissions/${id}/grade`, { score: -1 });
    const { items: [row] } = (await scores(examId)).data;
    expect(row).toMatchObject({ status, score: null, percentage: null, graded_at: null, is_late: false, submitted_at: expect.any(String) });
  });

  it('shows the max_score as of grading, else that of the exam now', async () => {
    const { examId, students: [a = '', b = ''] } = await examOf(2);
    await call('POST', `/submissions/${await seed(examId, a)}/grade`, { score: 80 });
    await seed(examId, b);
    await call('PATCH', `/exams/${examId}`, { max_score: 200 });
    expect((await scores(examId)).data.items.map(({ max_score }: { max_score: number }) => max_score)).toEqual([100, 200]);
  });

  it('lists a student of several groups once, and nobody who is assigned no more', async () => {
    const { examId, students: [a = '', b = ''] } = await examOf(2);
    await call('POST', `/exams/${examId}/assignments`, { group_ids: [await createGroup([a])] });
    await seed(examId, b);
    expect(idsOf(await scores(examId))).toEqual([a, b]);
    await sql('DELETE FROM group_members WHERE user_id = $1', [b]);
    expect(idsOf(await scores(examId))).toEqual([a]);
  });

  it('lists by login email, byte by byte, page by page, with the exact total', async () => {
    const { examId, students } = await examOf(4);
    const emails = ['b', 'a-b', 'a.b', 'a_b'].map((name) => `${name}@${institution.loginDomain}`);
    for (const [nth, email] of emails.entries()) await sql('UPDATE institution_emails SET login_email = $2 WHERE user_id = $1', [students[nth], email]);
    const inOrder = ['a-b', 'a.b', 'a_b', 'b'].map((name) => students[emails.indexOf(`${name}@${institution.loginDomain}`)]);
    const pages = [await scores(examId, { limit: 3 }), await scores(examId, { limit: 3, page: 2 }), await scores(examId, { limit: 3, page: 3 })];
    expect(pages.map(idsOf)).toEqual([inOrder.slice(0, 3), inOrder.slice(3), []]);
    expect(pages.map(({ data: { total, has_more } }) => [total, has_more])).toEqual([[4, true], [4, false], [4, false]]);
  });

  it('says the same as the institution reads it elsewhere', async () => {
    const { examId, students } = await examOf(3);
    for (const [nth, studentId] of students.entries()) await call('POST', `/submissions/${await seed(examId, studentId)}/grade`, { score: nth * 10 });
    const scope = institutionScope(api.api.domain.database, institution.id);
    const { rows } = await listExamScores(scope, examId, { page: 1, limit: 200 });
    const listed = (await listAt('/submissions', { exam_id: examId })).data.items;
    const percentages = new Map(listed.map((one: { student_id: string; score_detail: { percentage: number } }) => [one.student_id, one.score_detail.percentage]));
    expect(rows.map(({ id, percentage }) => [id, percentage])).toEqual(students.map((id) => [id, percentages.get(id)]));
  });
});
