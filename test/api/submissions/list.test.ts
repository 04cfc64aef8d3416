import { idsOf, errorSummary } from '../../support/responses';
import { submissionFixtureForEachTest } from '../../support/submissionFixture';

const { examFixture, seed, seedWithStatus, grade, read } = submissionFixtureForEachTest();
const list = (query: Record<string, string | number> = {}) => examFixture.list(query, '/submissions');
const at = (id: string, moment: string) => examFixture.sql('UPDATE submissions SET submitted_at = $2 WHERE id = $1', [id, moment]);

/** What a single answer has and a list leaves out. */
const inFullAlone = ['text', 'attachments', 'feedback_attachments', 'ai_usage_data', 'versions', 'recordings'];

describe('GET /submissions', () => {
  // Contract: submissions.list.response
  it('lists every version, the newest first, page by page, with the exact total', async () => {
    const { id: first, ...of } = await seed({ status: 'resubmission_required' });
    const second = await seed({ version: 2 }, of);
    const other = await seed();
    await at(first, '2026-01-01T08:00:00Z');
    await at(second.id, '2026-01-03T08:00:00Z');
    await at(other.id, '2026-01-02T08:00:00Z');
    const pages = [await list({ limit: 2 }), await list({ limit: 2, page: 2 }), await list({ limit: 2, page: 3 })];
    expect(pages.map(idsOf)).toEqual([[second.id, other.id], [first], []]);
    expect(pages.map(({ data: { total, has_more } }) => [total, has_more])).toEqual([[3, true], [3, false], [3, false]]);
  });

  it('shows everything of a submission but text, files, usage and versions', async () => {
    const { id } = await seed();
    await grade(id, { score: 71.5, feedback: 'Good' });
    const full = await read(id);
    const summary = Object.fromEntries(Object.entries(full).filter(([field]) => !inFullAlone.includes(field)));
    expect((await list()).data.items).toEqual([summary]);
    expect(Object.keys(full)).toEqual(expect.arrayContaining(inFullAlone));
  });

  it('shows nothing of another institution', async () => {
    await seed();
    const south = await examFixture.api.institution();
    expect((await examFixture.call('GET', '/submissions', undefined, south)).data).toMatchObject({ items: [], total: 0 });
  });

  // Contract: submissions.list.query
  it('filters by exam', async () => {
    const [one, other] = [await seed(), await seed()];
    expect([idsOf(await list({ exam_id: one.examId })), idsOf(await list({ exam_id: other.examId }))]).toEqual([[one.id], [other.id]]);
  });

  // Contract: submissions.list.query
  it('filters by status', async () => {
    for (const status of ['submitted', 'graded', 'resubmission_required', 'voided'] as const) {
      const { id } = await seedWithStatus(status);
      expect(idsOf(await list({ status }))).toEqual([id]);
    }
  });

  // Contract: submissions.list.query
  it('filters by student, by id or by login email in whatever case', async () => {
    const { id, studentId } = await seed();
    await seed();
    const { student_email: email } = await read(id);
    const found = [await list({ student_id: studentId }), await list({ student_id: email }), await list({ student_id: email.toUpperCase() })];
    expect(found.map(idsOf)).toEqual([[id], [id], [id]]);
  });

  // Contract: submissions.list.query
  it('filters by what changed since a moment, exclusive to the millisecond', async () => {
    const { id } = await seed();
    await seed();
    await grade(id, { score: 50 });
    const { updated_at } = await read(id);
    const before = new Date(Date.parse(updated_at) - 1).toISOString();
    expect([idsOf(await list({ since: before })), idsOf(await list({ since: updated_at }))]).toEqual([[id], []]);
  });

  it('finds a submission again after each of its changes, and not after what is refused', async () => {
    const { id } = await seed();
    for (const body of [{ score: 50 }, { score: 50 }, { score: -1 }, { score: 60 }]) {
      const { updated_at: seen } = await read(id);
      expect((await grade(id, body)).status).toBe(200);
      expect(idsOf(await list({ since: seen }))).toEqual([id]);
    }
    const { updated_at: seen } = await read(id);
    expect((await examFixture.call('POST', `/submissions/${id}/void`, {})).status).toBe(200);
    expect(idsOf(await list({ since: seen }))).toEqual([id]);
    const { updated_at: last } = await read(id);
    await grade(id, { score: 10 });
    expect(idsOf(await list({ since: last }))).toEqual([]);
  });

  it('joins its filters, and counts what they leave', async () => {
    const examId = (await examFixture.exam()).id;
    const { id, studentId } = await seedWithStatus('graded', { examId });
    await seedWithStatus('submitted', { examId });
    await seedWithStatus('graded', { studentId });
    const { data } = await list({ exam_id: examId, student_id: studentId, status: 'graded', since: '2020-01-01T00:00:00Z', limit: 1 });
    expect([data.total, data.items.map((item: { id: string }) => item.id)]).toEqual([1, [id]]);
  });

  it('refuses unknown values and parameters', async () => {
    for (const [name, value] of [['status', 'pending'], ['since', '2026-01-01'], ['version', 1], ['limit', 201]] as const) {
      expect(errorSummary(await list({ [name]: value }))).toEqual([422, 'validation_error', [name]]);
    }
  });
});
