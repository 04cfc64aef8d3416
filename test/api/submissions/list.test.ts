import { idsOf, errorSummary } from '../../support/responses';
import { apiFixture } from '../../support/apiFixture';
import { submissionCalls } from '../../support/submissionCalls';

const fixture = apiFixture();
const { api, sql, call, listAt, createExam } = fixture;
const { newSubmission, grade, readSubmission, submissionWithStatus } = submissionCalls(fixture);
const list = (query: Record<string, string | number> = {}) => listAt('/submissions', query);
const at = (id: string, moment: string) => sql('UPDATE submissions SET submitted_at = $2 WHERE id = $1', [id, moment]);

/** What a single answer has and a list leaves out. */
const inFullAlone = ['text', 'attachments', 'feedback_attachments', 'ai_usage_data', 'versions', 'recordings'];

describe('GET /submissions', () => {
  // Contract: submissions.list.response
  it('lists every version, the newest first, page by page, with the exact total', async () => {
    const { id: first, ...of } = await newSubmission({ status: 'resubmission_required' });
    const second = await newSubmission({ version: 2 }, of);
    const other = await newSubmission();
    await at(first, '2026-01-01T08:00:00Z');
    await at(second.id, '2026-01-03T08:00:00Z');
    await at(other.id, '2026-01-02T08:00:00Z');
    const pages = [await list({ limit: 2 }), await list({ limit: 2, page: 2 }), await list({ limit: 2, page: 3 })];
    expect(pages.map(idsOf)).toEqual([[second.id, other.id], [first], []]);
    expect(pages.map(({ data: { total, has_more } }) => [total, has_more])).toEqual([[3, true], [3, false], [3, false]]);
  });

  it('shows everything of a submission but text, files, usage and versions', async () => {
    const { id } = await newSubmission();
    await grade(id, { score: 71.5, feedback: 'Good' });
    const full = await readSubmission(id);
    const summary = Object.fromEntries(Object.entries(full).filter(([field]) => !inFullAlone.includes(field)));
    expect((await list()).data.items).toEqual([summary]);
    expect(Object.keys(full)).toEqual(expect.arrayContaining(inFullAlone));
  });

  it('shows nothing of another institution', async () => {
    await newSubmission();
    const otherInstitution = await api.institution();
    expect((await call('GET', '/submissions', undefined, otherInstitution)).data).toMatchObject({ items: [], total: 0 });
  });

  // Contract: submissions.list.query
  it('filters by exam', async () => {
    const [one, other] = [await newSubmission(), await newSubmission()];
    expect([idsOf(await list({ exam_id: one.examId })), idsOf(await list({ exam_id: other.examId }))]).toEqual([[one.id], [other.id]]);
  });

  // Contract: submissions.list.query
  it('filters by status', async () => {
    for (const status of ['submitted', 'graded', 'resubmission_required', 'voided'] as const) {
      const { id } = await submissionWithStatus(status);
      expect(idsOf(await list({ status }))).toEqual([id]);
    }
  });

  // Contract: submissions.list.query
  it('filters by student, by id or by login email in any case', async () => {
    const { id, studentId } = await newSubmission();
    await newSubmission();
    const { student_email: email } = await readSubmission(id);
    const found = [await list({ student_id: studentId }), await list({ student_id: email }), await list({ student_id: email.toUpperCase() })];
    expect(found.map(idsOf)).toEqual([[id], [id], [id]]);
  });

  // Contract: submissions.list.query
  it('filters by what changed since a moment, exclusive to the millisecond', async () => {
    const { id } = await newSubmission();
    await newSubmission();
    await grade(id, { score: 50 });
    const { updated_at } = await readSubmission(id);
    const before = new Date(Date.parse(updated_at) - 1).toISOString();
    expect([idsOf(await list({ since: before })), idsOf(await list({ since: updated_at }))]).toEqual([[id], []]);
  });

  it('finds a submission again after each of its changes, and not after what is refused', async () => {
    const { id } = await newSubmission();
    for (const body of [{ score: 50 }, { score: 50 }, { score: -1 }, { score: 60 }]) {
      const { updated_at: seen } = await readSubmission(id);
      expect((await grade(id, body)).status).toBe(200);
      expect(idsOf(await list({ since: seen }))).toEqual([id]);
    }
    const { updated_at: seen } = await readSubmission(id);
    expect((await call('POST', `/submissions/${id}/void`, {})).status).toBe(200);
    expect(idsOf(await list({ since: seen }))).toEqual([id]);
    const { updated_at: last } = await readSubmission(id);
    await grade(id, { score: 10 });
    expect(idsOf(await list({ since: last }))).toEqual([]);
  });

  it('joins its filters, and counts what they leave', async () => {
    const examId = (await createExam()).id;
    const { id, studentId } = await submissionWithStatus('graded', { examId });
    await submissionWithStatus('submitted', { examId });
    await submissionWithStatus('graded', { studentId });
    const { data } = await list({ exam_id: examId, student_id: studentId, status: 'graded', since: '2020-01-01T00:00:00Z', limit: 1 });
    expect([data.total, data.items.map((item: { id: string }) => item.id)]).toEqual([1, [id]]);
  });

  it('refuses unknown values and parameters', async () => {
    for (const [name, value] of [['status', 'pending'], ['since', '2026-01-01'], ['version', 1], ['limit', 201]] as const) {
      expect(errorSummary(await list({ [name]: value }))).toEqual([422, 'validation_error', [name]]);
    }
  });
});
