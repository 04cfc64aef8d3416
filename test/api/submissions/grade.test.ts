import fc from 'fast-check';
import { percentageOf } from '../../../domain/submissions/percentage';
import { errorSummary } from '../../support/responses';
import { eventsDuring } from '../../support/events';
import { apiFixture } from '../../support/apiFixture';
import { submissionCalls } from '../../support/submissionCalls';

const fixture = apiFixture();
const { api, institution, sql, call, createExam, readExam } = fixture;
const { newSubmission, grade, readSubmission, submissionWithStatus } = submissionCalls(fixture);
const faculty = async (body: object = {}) => (await call('POST', '/faculty', { full_name: 'Grace Hopper', ...body })).data;
const suspend = async (id: string) => {
  expect((await call('PATCH', `/faculty/${id}`, { status: 'suspended' })).status).toBe(200);
};

describe('a score', () => {
  // Contract: service.purpose.grade-submissions, submissions.fields.score-detail, submissions.states.graded, submissions.grade.body
  // Contract: submissions.grade.response
  it('is kept as given, with what the exam made of it', async () => {
    const { id } = await newSubmission({}, { examId: (await createExam({ max_score: 60 })).id });
    const { status, data } = await grade(id, { score: 45.5, feedback: 'Well\ndone' });
    expect([status, data.status, data.feedback]).toEqual([200, 'graded', 'Well\ndone']);
    expect(data.score_detail).toEqual({ score: 45.5, max_score: 60, percentage: 75.83, late_penalty_percentage: 0 });
    expect(data.graded_at).toBe(data.updated_at);
  });

  // Contract: exams.late-penalty.applied-automatically, submissions.fields.score-detail, submissions.grade.late-penalty
  it.each([
    ['on time', false, { score: 80, max_score: 100, percentage: 80, late_penalty_percentage: 0 }],
    ['late', true, { score: 80, max_score: 100, percentage: 70, late_penalty_percentage: 12.5 }],
  ])('loses the penalty only when late: %s', async (_when, isLate, detail) => {
    const { id } = await newSubmission({ isLate }, { examId: (await createExam({ allow_late_submission: true, late_penalty_percentage: 12.5 })).id });
    expect((await grade(id, { score: 80 })).data.score_detail).toEqual(detail);
  });

  it('gives the percentage of the formula, for any exam, penalty and score', async () => {
    const hundredths = (most: number, least = 0) => fc.integer({ min: least, max: most }).map((whole) => whole / 100);
    const { id, examId } = await newSubmission();
    await fc.assert(
      fc.asyncProperty(hundredths(10_000_000, 1), hundredths(10_000), fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean(), async (maxScore, penalty, part, isLate) => {
        await sql('UPDATE exams SET max_score = $2, late_penalty_percentage = $3 WHERE id = $1', [examId, maxScore, penalty]);
        await sql('UPDATE submissions SET is_late = $2 WHERE id = $1', [id, isLate]);
        const score = Math.floor(Math.round(maxScore * 100) * part) / 100;
        const off = isLate ? penalty : 0;
        const expected = { score, max_score: maxScore, percentage: percentageOf(score, maxScore, off), late_penalty_percentage: off };
        expect((await grade(id, { score })).data.score_detail).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });

  it.each([0, 0.01, 100])('may be %d of 100', async (score) => {
    const { id } = await newSubmission();
    expect((await grade(id, { score })).data.score_detail.score).toBe(score);
  });

  // Contract: submissions.grade.body, submissions.grade.at-most-max-score
  it.each([-0.01, -2, 100.01, 0.001, 1_000_000, '80', null, undefined])('may not be %p of 100', async (score) => {
    const { id } = await newSubmission();
    const before = await readSubmission(id);
    expect(errorSummary(await grade(id, { score }))).toEqual([422, 'validation_error', ['score']]);
    expect(await readSubmission(id)).toEqual(before);
  });

  it('stays what it was when the exam changes later, until it is graded again', async () => {
    const { id, examId } = await newSubmission({ isLate: true });
    const graded = (await grade(id, { score: 50 })).data.score_detail;
    await call('PATCH', `/exams/${examId}`, { max_score: 200, late_penalty_percentage: 50 });
    expect((await readSubmission(id)).score_detail).toEqual(graded);
    expect((await grade(id, { score: 50 })).data.score_detail).toEqual({ score: 50, max_score: 200, percentage: 12.5, late_penalty_percentage: 50 });
  });

  it('keeps the max_score of its exam from falling below it', async () => {
    const { id, examId } = await newSubmission();
    await grade(id, { score: 80 });
    expect(errorSummary(await call('PATCH', `/exams/${examId}`, { max_score: 79.99 }))).toEqual([409, 'conflict']);
  });
});

describe('the grader', () => {
  // Contract: submissions.grade.body
  it('is the owner of the exam by default, even suspended', async () => {
    const { id: owner } = await faculty();
    const { id } = await newSubmission({}, { examId: (await createExam({ faculty_id: owner })).id });
    await suspend(owner);
    expect((await grade(id, { score: 1 })).data.graded_by).toBe(owner);
    expect((await grade(id, { score: 1, graded_by: null })).data.graded_by).toBe(owner);
  });

  // Contract: submissions.grade.body
  it('is an active faculty member by id or login email', async () => {
    const [{ id: one }, { id: other, login_email: email }] = [await faculty(), await faculty()];
    const { id } = await newSubmission();
    expect((await grade(id, { score: 1, graded_by: one })).data.graded_by).toBe(one);
    expect((await grade(id, { score: 1, graded_by: email.toUpperCase() })).data.graded_by).toBe(other);
  });

  it('is nobody suspended, unknown, of another institution, or a student', async () => {
    const { id, studentId } = await newSubmission();
    const { id: suspended } = await faculty();
    await suspend(suspended);
    const otherInstitution = await api.institution();
    const before = await readSubmission(id);
    for (const graded_by of [suspended, 'fac_unknown', otherInstitution.adminId, otherInstitution.adminLoginEmail, studentId]) {
      for (const score of [1, -1]) expect(errorSummary(await grade(id, { score, graded_by }))).toEqual([422, 'invalid_faculty', ['graded_by']]);
    }
    expect(await readSubmission(id)).toEqual(before);
  });
});

describe('grading', () => {
  it('again updates grade, grader and time, and announces it again, the same grade too', async () => {
    const { id } = await newSubmission();
    const events = await eventsDuring(api, institution, async () => {
      const first = (await grade(id, { score: 80, feedback: 'Good' })).data;
      const again = (await grade(id, { score: 80, feedback: 'Good' })).data;
      expect([again.graded_at > first.graded_at, again.updated_at]).toEqual([true, again.graded_at]);
      expect((await grade(id, { score: 85 })).data).toMatchObject({ feedback: null, score_detail: { score: 85 } });
    });
    expect(events.map(({ type, data }) => [type, 'score' in data && data.score])).toEqual([['exam.graded', 80], ['exam.graded', 80], ['exam.graded', 85]]);
  });

  it('is possible of a closed exam', async () => {
    const { id, examId } = await newSubmission();
    await call('POST', `/exams/${examId}/close`);
    expect((await grade(id, { score: 80 })).data.status).toBe('graded');
  });

  // Contract: submissions.states.resubmission-required, submissions.grade.minus-one-requests-resubmission
  it('with -1 takes the grade back, and leaves who asked, when and why', async () => {
    const { id } = await submissionWithStatus('graded');
    const { data } = await grade(id, { score: -1, feedback: 'The second page is missing' });
    expect(data).toMatchObject({ status: 'resubmission_required', score_detail: null, feedback: 'The second page is missing', graded_by: institution.adminId });
    expect(data.graded_at).toBe(data.updated_at);
  });

  it('never lets updated_at go back, though it began before the change that it waited for', async () => {
    const { id } = await newSubmission();
    await sql("UPDATE submissions SET updated_at = '2099-01-01T00:00:00Z' WHERE id = $1", [id]);
    expect((await grade(id, { score: 1 })).data.updated_at).toBe('2099-01-01T00:00:00.000Z');
    expect((await call('POST', `/submissions/${id}/void`, {})).data.updated_at).toBe('2099-01-01T00:00:00.000Z');
  });

  it('refuses feedback that is too long or has control characters, and unknown fields', async () => {
    const { id } = await newSubmission();
    const bodies = [{ feedback: 'a'.repeat(10_001) }, { feedback: 'a\u0000' }, { feedback: 1 }];
    for (const body of bodies) expect(errorSummary(await grade(id, { score: 1, ...body }))).toEqual([422, 'validation_error', ['feedback']]);
    expect(errorSummary(await grade(id, { score: 1, status: 'graded' }))).toEqual([422, 'validation_error', ['status']]);
  });
});

describe('voiding', () => {
  // Contract: submissions.states.voided, submissions.void.reason, submissions.void.body
  it('notes the reason and the moment, and keeps what was graded', async () => {
    const { id } = await newSubmission();
    await grade(id, { score: 80, feedback: 'Good' });
    const { status, data } = await call('POST', `/submissions/${id}/void`, { reason: 'Copied,\nall of it' });
    expect([status, data]).toEqual([200, expect.objectContaining({ status: 'voided', void_reason: 'Copied,\nall of it', feedback: 'Good' })]);
    expect(data.score_detail).toMatchObject({ score: 80 });
    expect(data.voided_at).toBe(data.updated_at);
  });

  // Contract: submissions.void.reason, submissions.void.body
  it('needs no reason', async () => {
    for (const body of [undefined, {}, { reason: null }]) {
      const { id } = await newSubmission();
      expect((await call('POST', `/submissions/${id}/void`, body)).data).toMatchObject({ status: 'voided', void_reason: null });
    }
  });

  it('takes the submission out of the stats of its exam', async () => {
    const { id, examId } = await submissionWithStatus('graded');
    const stats = async () => (await readExam(examId)).stats;
    expect(await stats()).toMatchObject({ submitted: 1, graded: 1, average_percentage: 80 });
    await call('POST', `/submissions/${id}/void`, {});
    expect(await stats()).toMatchObject({ submitted: 0, graded: 0, average_percentage: null });
  });
});
